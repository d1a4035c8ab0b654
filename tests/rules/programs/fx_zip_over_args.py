import torch
import torch.fx


def fn(a, b):
    out = 0
    for p, q in zip(a, b):
        out = out + p * q
    return out


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
