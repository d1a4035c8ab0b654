import heapq

import torch


def fn(x):
    h = [3, 1, 2]
    heapq.heapify(h)
    return x * heapq.heappop(h)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
