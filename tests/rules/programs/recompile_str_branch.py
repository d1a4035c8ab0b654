import torch


def fn(x, mode):
    if mode == "a":
        return x + 1
    if mode == "b":
        return x + 2
    return x + 3


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), "a")
