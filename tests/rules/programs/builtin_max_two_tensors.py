import torch


def fn(a, b):
    return max(a, b) * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(1.0), torch.tensor(2.0))
