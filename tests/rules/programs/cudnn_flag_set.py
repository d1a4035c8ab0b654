import torch


def fn(x):
    torch.backends.cudnn.benchmark = True
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
