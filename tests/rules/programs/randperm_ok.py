import torch


def fn(x):
    return x[torch.randperm(4)]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(4.0))
