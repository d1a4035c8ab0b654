import torch


def fn(n):
    return torch.zeros(int(n[0]), int(n[1]))


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor([2, 3]),))
