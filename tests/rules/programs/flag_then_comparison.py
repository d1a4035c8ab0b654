import torch


def clamped(x, limit):
    reached = False
    for _ in range(3):
        x = x * 2
        if limit is not None:
            reached = x.max() > limit
    if reached:
        return x.clamp(max=limit)
    return x


def fn(x):
    return clamped(x, 4.0) + clamped(x, None)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
