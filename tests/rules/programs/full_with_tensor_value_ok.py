import torch


def fn(v):
    return torch.full((3,), 1.0) * v


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(4.0))
