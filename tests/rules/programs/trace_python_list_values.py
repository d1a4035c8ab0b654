import torch


def fn(x):
    vals = [float(v) for v in x]
    return torch.tensor(vals) + x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor([1.0, 4.0]),))
