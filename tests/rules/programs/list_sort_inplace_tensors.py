import torch


def fn(xs):
    ys = list(xs)
    ys.sort()
    return ys[0] * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.tensor(3.0), torch.tensor(1.0)])
