import torch


def fn(x):
    g = torch.Generator()
    g.manual_seed(3)
    return x + torch.rand(3, generator=g)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
