import uuid

import torch


def fn(x):
    tag = uuid.uuid4().hex
    return x + len(tag)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
