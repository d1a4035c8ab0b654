import torch
import torch.fx


def fn(x, n: int):
    if n > 2:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
