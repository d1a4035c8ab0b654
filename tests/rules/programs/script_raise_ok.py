import torch


def fn(x: torch.Tensor):
    if x.dim() > 3:
        raise ValueError(f"bad rank {x.dim()}")
    return x * 2


if __name__ == "__main__":
    captured = torch.jit.script(fn)
