import torch


def helper(x: torch.Tensor):
    return sum([x, x])


def fn(x: torch.Tensor):
    return helper(x) * 2


if __name__ == "__main__":
    captured = torch.jit.script(fn)
