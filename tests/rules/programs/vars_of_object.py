import torch


class Cfg:
    def __init__(self):
        self.k = 2


CFG = Cfg()


def fn(x):
    return x * vars(CFG)["k"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
