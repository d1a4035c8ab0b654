import torch


def fn(x: torch.Tensor):
    import math

    return x * math.pi


if __name__ == "__main__":
    captured = torch.jit.script(fn)
