import torch


def fn(x: torch.Tensor):
    return x @ x.t() ** 2


if __name__ == "__main__":
    captured = torch.jit.script(fn)
