import torch


def fn(x: torch.Tensor):
    x @= x
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
