import torch


class State:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k


def fn(x):
    s = State(2)
    s.k += 1
    return x * s.k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
