import torch


def fn(x):
    if x.data_ptr() == 0:
        return x
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
