import torch

GEN = torch.Generator()


def fn(x):
    return x + torch.rand(3, generator=GEN)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
