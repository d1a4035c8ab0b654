import torch
import torch.fx

TABLE = [1.0, 2.0]


def fn(x, i):
    return x * TABLE[int(i)]


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
