import torch


def fn(x):
    return x.repeat_interleave(2).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
