import torch


def fn(x):
    return torch.cond(x.shape[0] > 2, lambda t: t + 1, lambda t: t - 1, (x,))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
