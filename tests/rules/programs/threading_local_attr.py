import threading

import torch

TLS = threading.local()
TLS.k = 2


def fn(x):
    return x * TLS.k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
