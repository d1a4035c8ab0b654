import torch

COUNT = 0


def fn(x: torch.Tensor):
    global COUNT
    COUNT = 1
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
