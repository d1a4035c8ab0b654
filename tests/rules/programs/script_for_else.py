import torch


def fn(x: torch.Tensor):
    for i in range(3):
        x = x + i
    else:
        x = x * 2
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
