from pprint import pprint

import torch


def fn(x):
    pprint({"n": x.shape[0]})
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
