import torch


def fn(x):
    return x.new_tensor([1.0, 2.0]) * x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.tensor(2.0),))
