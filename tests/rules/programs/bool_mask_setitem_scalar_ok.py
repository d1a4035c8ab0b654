import torch


def fn(x):
    y = x.clone()
    y[y < 0] = 0.0
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([-1.0, 2.0]))
