import torch


def fn(x, rows):
    return x[rows, 1:].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.randn(3, 4), torch.tensor([True, False, True]))
