import torch


def fn(x):
    y = x * 2
    y.tag = "a"
    return y + len(y.tag)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
