import pickle

import torch


def fn(x):
    blob = pickle.dumps([1, 2])
    return x + len(blob)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
