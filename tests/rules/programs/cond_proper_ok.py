import torch


def fn(x):
    return torch.cond(x.sum() > 0, lambda t: t.sin(), lambda t: t.cos(), (x,))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
