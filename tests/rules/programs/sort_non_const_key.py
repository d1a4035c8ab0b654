import torch


def fn(xs):
    xs = sorted(xs, key=lambda t: -t.item())
    return xs[0] * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.tensor(3.0), torch.tensor(1.0)])
