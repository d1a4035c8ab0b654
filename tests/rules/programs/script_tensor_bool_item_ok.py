import torch


def fn(x: torch.Tensor):
    v = x.sum().item()
    if v > 1:
        return x * v
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
