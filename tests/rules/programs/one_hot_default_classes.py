import torch
import torch.nn.functional as F


def fn(ids):
    return F.one_hot(ids).float()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0, 2, 1]))
