import torch


def fn(x: torch.Tensor):
    a = b = x * 2
    a += b
    return a, b


if __name__ == "__main__":
    captured = torch.jit.script(fn)
