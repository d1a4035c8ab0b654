import torch


def fn(x: torch.Tensor):
    d = {i: x * i for i in range(3)}
    return d[2]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
