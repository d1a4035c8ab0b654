import operator

import torch


def fn(d):
    return operator.itemgetter("a")(d) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured({"a": torch.ones(3)})
