import torch


def fn(x: torch.Tensor):
    t = (x, x.dim())
    i = 1
    return t[i]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
