import torch
import torch.fx


def fn(x):
    b, c = x.shape
    return x.reshape(b * c)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
