import torch


def fn(x: torch.Tensor):
    y = 1 if x.dim() > 1 else 2.5
    return x * y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
