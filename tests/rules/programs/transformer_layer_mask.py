import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(4, 2, batch_first=True)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(3)
        return self.layer(x, x, tgt_mask=mask)


if __name__ == "__main__":
    captured = torch.compile(Net())
    captured(torch.randn(2, 3, 4))
