import torch
import torch.nn.functional as F


def fn(x, slope):
    return F.leaky_relu(x - 2, negative_slope=slope.item())


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4), torch.tensor(0.5))
