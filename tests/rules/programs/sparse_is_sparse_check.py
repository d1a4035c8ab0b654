import torch


def fn(x):
    if x.is_sparse:
        x = x.to_dense()
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
