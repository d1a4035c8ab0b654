import threading

import torch

LOCK = threading.Lock()


def fn(x):
    with LOCK:
        return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
