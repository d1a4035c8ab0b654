import torch


def fn(x, acc):
    acc.append(x * 2)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), [])
