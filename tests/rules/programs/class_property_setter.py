import torch


class Box:
    def __init__(self):
        self._k = 1

    @property
    def k(self):
        return self._k

    @k.setter
    def k(self, v):
        self._k = v


def fn(x):
    b = Box()
    b.k = 4
    return x * b.k


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
