import torch


def fn(x: torch.Tensor):
    return x[..., None, :1]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
