import torch


def fn(x: torch.Tensor):
    if x.dim() is 1:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
