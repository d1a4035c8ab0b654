import torch


def clamp_if(x, limit=0.5, strict=True):
    if strict and x.max() > limit:
        return x.clamp(max=limit)
    return x


def fn(x):
    return clamp_if(x, strict=True)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
