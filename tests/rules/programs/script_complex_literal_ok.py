import torch


def fn(x: torch.Tensor):
    return x * 2j


if __name__ == "__main__":
    captured = torch.jit.script(fn)
