import torch


def fn(x):
    return torch.cond(x.sum() > 0, lambda t: t, lambda t: t[:2].sum(), (x,))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
