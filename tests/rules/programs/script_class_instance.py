import torch


class Box:
    def __init__(self, k: int):
        self.k = k


def fn(x: torch.Tensor):
    b = Box(2)
    return x * b.k


if __name__ == "__main__":
    captured = torch.jit.script(fn)
