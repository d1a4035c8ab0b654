import torch


def fn(x: torch.Tensor):
    return torch.zeros(2, dtype=x.dtype, device=x.device) + x.to(torch.float32)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
