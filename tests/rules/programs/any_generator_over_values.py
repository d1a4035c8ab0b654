import torch


def fn(xs):
    if any(t.max() > 0 for t in xs):
        return xs[0] + 1
    return xs[1]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(2), -torch.ones(2)])
