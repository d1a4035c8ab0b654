import torch


def fn(x: torch.Tensor):
    k = max(x.size(0), 2) + abs(-1) + int(2.5) + round(1.4)
    return x * k


if __name__ == "__main__":
    captured = torch.jit.script(fn)
