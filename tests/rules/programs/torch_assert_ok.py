import torch


def fn(x):
    torch._assert((x > 0).all(), "positive")
    return x.log()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
