import torch


def fn(x: torch.Tensor):
    return x[None, :, None]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
