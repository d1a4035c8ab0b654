import torch


def fn(x: torch.Tensor):
    if (n := x.size(0)) > 1:
        return x * n
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
