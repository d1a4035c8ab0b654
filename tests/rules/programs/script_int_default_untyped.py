import torch


def fn(x, n=2):
    return x.repeat(n)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
