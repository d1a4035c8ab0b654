import torch
import torch.fx


def fn(x):
    out = x
    for i in range(x.size(0)):
        out = out + i
    return out


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
