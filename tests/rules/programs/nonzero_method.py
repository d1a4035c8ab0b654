import torch


def fn(x):
    return x.nonzero().squeeze(-1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0, 1, 1]))
