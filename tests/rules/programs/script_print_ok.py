import torch


def fn(x: torch.Tensor):
    print("x", x.shape, 3)
    return x + 1


if __name__ == "__main__":
    captured = torch.jit.script(fn)
