import queue

import torch

Q = queue.Queue()


def fn(x):
    Q.put(1)
    return x + Q.get()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
