import torch
import torch.nn.functional as F


def fn(x):
    return F.dropout(x, 0.5, training=True)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
