import torch
import torch.fx


def fn(xs):
    out = 0
    for i, x in enumerate(xs):
        out = out + x * i
    return out


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
