import torch


def fn(x):
    return torch.where(x > 0, x, x.new_zeros(()))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.0, 1.0]))
