import torch


def fn(x, pool):
    if x in pool:
        return x + 1
    return x - 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(1.0), [torch.tensor(1.0), torch.tensor(2.0)])
