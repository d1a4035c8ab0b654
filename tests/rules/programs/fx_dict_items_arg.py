import torch
import torch.fx


def fn(d):
    out = 0
    for k, v in d.items():
        out = out + v
    return out


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
