import torch


def fn(x):
    return torch.autograd.functional.jacobian(torch.sin, x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
