import torch


def fn(x):
    lo = x[0].item()
    return torch.tensor([lo, 2.0]) + x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor([1.0, 2.0]),))
