import torch
import torch.fx


def fn(x):
    rows = list(x)
    return rows[0]


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
