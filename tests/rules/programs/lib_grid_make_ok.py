import torch


def fn(x):
    a, b = torch.meshgrid(x, x, indexing="ij")
    return torch.block_diag(a, b)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
