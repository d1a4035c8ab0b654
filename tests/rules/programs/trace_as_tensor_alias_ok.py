import torch


def fn(x):
    return torch.as_tensor(x) * 2


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor([1.0, 2.0]),))
