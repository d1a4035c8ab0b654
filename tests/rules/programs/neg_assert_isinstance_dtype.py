import torch


def fn(x):
    assert isinstance(x, torch.Tensor) and x.dtype is torch.float32, "need float32"
    assert x.ndim in (1, 2)
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
