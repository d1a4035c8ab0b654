import torch
import torch.nn.functional as F


def fn(a, b):
    return F.cosine_embedding_loss(a, b, torch.ones(2))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3), torch.ones(2, 3))
