import torch


def fn(x):
    if x.requires_grad:
        return x.detach() * 2
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
