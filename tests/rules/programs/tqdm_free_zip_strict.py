import torch


def fn(xs):
    out = 0
    for x, k in zip(xs, (1, 2), strict=True):
        out = out + x * k
    return out


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(3), torch.ones(3)])
