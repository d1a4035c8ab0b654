import torch


def fn(a, b):
    s = {a, b}
    return a * len(s)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.zeros(3))
