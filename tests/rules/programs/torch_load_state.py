import io

import torch

BUF = io.BytesIO()
torch.save(torch.ones(3), BUF)


def fn(x):
    BUF.seek(0)
    w = torch.load(BUF)
    return x * w


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
