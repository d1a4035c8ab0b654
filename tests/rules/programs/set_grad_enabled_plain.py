import torch


def fn(x):
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
