import torch


def fn(x):
    with torch.set_grad_enabled(False):
        y = x * 2
    return y + x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
