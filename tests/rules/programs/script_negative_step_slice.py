import torch


def fn(x: torch.Tensor):
    order = [3, 2, 1, 0]
    return x[order[::-1]]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
