import torch


def fn(x):
    torch._check(x.sum().item() > 0)
    return x.log()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
