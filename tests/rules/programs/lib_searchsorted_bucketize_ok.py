import torch


def fn(x):
    edges = torch.linspace(0, 1, 5)
    return torch.bucketize(x, edges) + torch.searchsorted(edges, x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.rand(8))
