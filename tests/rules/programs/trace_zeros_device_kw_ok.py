import torch


def fn(x):
    return x + torch.ones_like(x).to(x.device)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3),))
