import torch


def fn(x):
    kept = x[x > 0]
    return kept.sum() / max(kept.numel(), 1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1.0, -1.0]))
