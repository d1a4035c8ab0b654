import torch


def fn(x: torch.Tensor):
    m = [i * j for i in range(2) for j in range(3)]
    return x + m[0]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
