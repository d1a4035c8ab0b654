import torch


def fn(x, y):
    if any([x.sum() > 0, y.sum() > 0]):
        return x - y
    return x + y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.zeros(3))
