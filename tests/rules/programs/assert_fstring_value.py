import torch


def fn(x):
    assert torch.isfinite(x).all(), f"bad input {x.max().item()}"
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
