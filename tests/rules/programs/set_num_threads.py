import torch


def fn(x):
    torch.set_num_threads(1)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
