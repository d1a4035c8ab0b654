import torch


def fn(x):
    if x < 0:
        return x - 1
    elif x > 1:
        return x * 2
    else:
        return x + 3


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(0.5))
