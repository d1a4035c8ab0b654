import torch


def fn(x, mask):
    if mask is not None:
        x = x * mask
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), None)
