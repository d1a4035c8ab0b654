import torch


def helper(x):
    return x


def fn(x: torch.Tensor):
    y = helper(x)
    for i in range(2):
        z = y + i
    return z


if __name__ == "__main__":
    captured = torch.jit.script(fn)
