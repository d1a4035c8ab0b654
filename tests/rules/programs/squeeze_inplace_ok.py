import torch


def fn(x):
    y = x.clone()
    y.squeeze_(0)
    y.t_()
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(1, 3))
