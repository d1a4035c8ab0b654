import torch
import torch.fx


def fn(x):
    assert x.shape[1] == 2
    return x.sum()


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
