import torch
import torch.fx


def fn(x, allowed):
    if 1 in allowed:
        return x + 1
    return x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
