import base64

import torch


def fn(x):
    return x + len(base64.b64encode(b"abc"))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
