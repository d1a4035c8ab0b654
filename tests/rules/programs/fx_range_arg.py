import torch
import torch.fx


def fn(x, n: int):
    for i in range(n):
        x = x + i
    return x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
