import torch


def fn(x, m):
    idx = m.nonzero()
    if idx.numel() == 0:
        return x
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.tensor([True, False, True]))
