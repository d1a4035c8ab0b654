import torch


def fn(x):
    return x.masked_fill(x < 0, 0.0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1.0, -1.0]))
