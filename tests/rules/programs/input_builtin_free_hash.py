import torch


def fn(x, name):
    return x + hash(name) % 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), "abc")
