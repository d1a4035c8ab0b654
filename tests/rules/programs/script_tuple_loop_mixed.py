import torch


def fn(x: torch.Tensor):
    out = x
    for v in (1, 2.5):
        out = out * v
    return out


if __name__ == "__main__":
    captured = torch.jit.script(fn)
