import torch


def fn(xs):
    i = xs.index(xs[1])
    return xs[i] * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.tensor(3.0), torch.tensor(1.0)])
