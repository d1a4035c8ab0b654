import torch


def fn(x: torch.Tensor):
    vals = [x, 1]
    return vals[0]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
