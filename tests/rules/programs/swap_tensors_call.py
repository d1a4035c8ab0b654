import torch


def fn(x, y):
    torch.utils.swap_tensors(x, y)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.zeros(3))
