import torch
import torch.fx


def fn(x):
    return x[:, 1:] - x[..., :-1]


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
