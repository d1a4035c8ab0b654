import torch


def fn(x):
    positive = bool((x > 0).all())
    if positive:
        return x.sqrt()
    return x.abs()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
