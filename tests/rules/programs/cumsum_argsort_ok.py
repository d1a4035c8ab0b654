import torch


def fn(x):
    order = x.argsort(descending=True)
    return x[order].cumsum(0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([3.0, 1.0]))
