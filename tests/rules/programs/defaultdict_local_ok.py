import collections

import torch


def fn(x):
    d = collections.defaultdict(list)
    d["a"].append(x)
    return d["a"][0] + len(d)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
