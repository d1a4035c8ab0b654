import torch
import torch.fx


def fn(x):
    y = x.clone()
    y += 1
    y.mul_(2)
    return y


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
