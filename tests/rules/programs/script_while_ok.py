import torch


def fn(x: torch.Tensor):
    i = 0
    while i < 3 and bool(x.sum() < 100):
        x = x * 2
        i += 1
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
