import torch


def fn(x, m):
    y = x.clone()
    y[m] = torch.ones(2)
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.zeros(3, 2), torch.tensor([True, False, True]))
