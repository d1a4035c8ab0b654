import torch


def fn(x):
    dims = sorted(range(x.dim()), key=lambda i: -i)
    return x.permute(*dims)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3, 4))
