import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(4, 3)

    def forward(self, ids, offsets):
        return self.emb(ids, offsets)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.tensor([0, 1, 2]), torch.tensor([0, 2]))
