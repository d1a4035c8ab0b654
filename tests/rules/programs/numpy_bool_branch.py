import torch


def fn(x):
    a = x.numpy()
    if a.sum() > 0:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
