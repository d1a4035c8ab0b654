import torch


def kw(x, a=1, b=2):
    return x * a + b


def fn(x):
    opts = {"a": 3} | {"b": 4}
    return kw(x, **{**opts, "a": 5})


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
