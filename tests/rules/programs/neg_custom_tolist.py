import torch


class Sizes:
    def __init__(self, *v):
        self.v = v

    def tolist(self):
        return list(self.v)

    def nonzero(self):
        return [i for i in self.v if i]


S = Sizes(1, 2)


def fn(x):
    return x * sum(S.tolist()) + len(S.nonzero())


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
