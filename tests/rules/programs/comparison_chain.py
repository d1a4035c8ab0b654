import torch


def fn(x):
    if 0 < x < 1:
        return x * 10
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(0.5))
