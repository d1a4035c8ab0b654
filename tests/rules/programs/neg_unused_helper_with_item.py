import torch


def report(x):
    print("max", x.max().item())


def fn(x):
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    report(captured(torch.ones(3)))
