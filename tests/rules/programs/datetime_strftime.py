from datetime import datetime

import torch


def fn(x):
    stamp = datetime.now().strftime("%Y")
    return x + len(stamp)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
