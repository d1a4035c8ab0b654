import torch


def fn(x):
    k = eval("1 + 2")
    return x * k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
