import torch


def fn(x: torch.Tensor, *, scale: float = 2.0):
    return x * scale


if __name__ == "__main__":
    captured = torch.jit.script(fn)
