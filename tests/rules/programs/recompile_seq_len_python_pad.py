import torch
import torch.nn.functional as F


def fn(x):
    pad = (8 - x.shape[1]) % 8
    return F.pad(x, (0, pad))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 5))
