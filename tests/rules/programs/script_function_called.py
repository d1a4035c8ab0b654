import torch


@torch.jit.script
def gelu(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5 * (1.0 + torch.erf(x / 1.41421))


def fn(x):
    return gelu(x) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.randn(3))
