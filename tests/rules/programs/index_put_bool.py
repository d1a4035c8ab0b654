import torch


def fn(x):
    y = x.clone()
    y.masked_scatter_(y < 0, torch.zeros(3))
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([-1.0, 2.0, 3.0]))
