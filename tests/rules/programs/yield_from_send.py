import torch


def gen():
    got = yield 1
    yield got


def fn(x):
    g = gen()
    next(g)
    return x * g.send(3)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
