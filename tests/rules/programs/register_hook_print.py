import torch


def log(g):
    print("grad", g)
    return g


def fn(x):
    y = x * 2
    y.register_hook(log)
    return y.sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
