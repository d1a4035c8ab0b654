import torch


def fn(x):
    while x.norm() > 1:
        x = x / 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.full((3,), 8.0))
