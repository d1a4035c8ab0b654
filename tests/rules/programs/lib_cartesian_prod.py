import torch


def fn(a, b):
    return torch.cartesian_prod(a, b).sum() + torch.combinations(a).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2), torch.ones(3))
