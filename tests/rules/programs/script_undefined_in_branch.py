import torch


def fn(x: torch.Tensor):
    if x.dim() == 1:
        y = x * 2
    return y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
