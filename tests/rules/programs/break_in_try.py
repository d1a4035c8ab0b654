import torch


def fn(x):
    try:
        if x.sum() > 0:
            x = x * 2
    except RuntimeError:
        x = x - 1
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
