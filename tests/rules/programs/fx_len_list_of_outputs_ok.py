import torch
import torch.fx


def fn(x):
    outs = [x, x * 2, x + 1]
    return sum(outs) / len(outs)


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
