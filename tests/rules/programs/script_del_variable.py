import torch


def fn(x: torch.Tensor):
    y = x * 2
    del x
    return y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
