import torch


def fn(*xs):
    return xs[0] + xs[1]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
