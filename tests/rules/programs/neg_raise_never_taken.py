import torch


def fn(x):
    if x.ndim != 1:
        raise RuntimeError(f"expected 1d, got {x.ndim}d: {tuple(x.shape)}")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
