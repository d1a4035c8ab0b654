import torch


def fn(x):
    if any(
        part.sum() > 100
        for part in (x, x * 2)
    ):
        return x
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
