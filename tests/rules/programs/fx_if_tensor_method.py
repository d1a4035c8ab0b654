import torch
import torch.fx


def fn(x):
    y = x.relu()
    if y.max() > 0.5:
        return y * 2
    return y


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
