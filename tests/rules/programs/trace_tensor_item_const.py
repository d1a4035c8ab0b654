import torch


def fn(x):
    top = x.max().item()
    return torch.full_like(x, top) + x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor([1.0, 4.0]),))
