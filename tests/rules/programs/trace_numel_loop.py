import torch


def fn(x):
    out = x
    for _ in range(x.numel()):
        out = out + x
    return out


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(4),))
