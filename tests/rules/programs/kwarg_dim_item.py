import torch


def fn(x, d):
    return x.sum(dim=int(d))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3), torch.tensor(1))
