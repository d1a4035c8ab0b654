import json

import torch

TEXT = '{"k": 2}'


def fn(x):
    cfg = json.loads(TEXT)
    return x * cfg["k"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
