import torch


@torch.compile
def fn(x, scale):
    top = float(x.max())
    if scale > 2:
        return x * top
    return x
