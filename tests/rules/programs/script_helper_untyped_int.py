import torch


def times(x, n):
    for _ in range(n):
        x = x + x
    return x


def fn(x: torch.Tensor):
    return times(x, 3)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
