import torch
import torch.fx


def fn(x):
    n = x.size(0) // 2
    return x[:n] + x[n:]


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
