import torch


def fn(x: torch.Tensor):
    b = b"abc"
    return x + len(b)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
