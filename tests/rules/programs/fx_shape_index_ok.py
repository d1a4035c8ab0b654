import torch
import torch.fx


def fn(x):
    return x.view(x.shape[0], -1) / x.size(1)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
