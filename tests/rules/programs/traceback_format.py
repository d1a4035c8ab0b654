import traceback

import torch


def fn(x):
    text = traceback.format_exc()
    return x + len(text)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
