import torch


def fn(x: torch.Tensor):
    class K:
        v = 2

    return x * K.v


if __name__ == "__main__":
    captured = torch.jit.script(fn)
