import torch


def fn(x: torch.Tensor):
    k = 7 // 2 | 1
    return x * k


if __name__ == "__main__":
    captured = torch.jit.script(fn)
