import torch


def fn(x):
    for i in range(3):
        yield x * i


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
