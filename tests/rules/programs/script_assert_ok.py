import torch


def fn(x: torch.Tensor, p: float = 0.5):
    assert 0.0 <= p <= 1.0, "p out of range"
    return x * p


if __name__ == "__main__":
    captured = torch.jit.script(fn)
