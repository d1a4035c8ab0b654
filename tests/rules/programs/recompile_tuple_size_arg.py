import torch


def fn(x, size):
    return x.reshape(size)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(12), (3, 4))
