import torch


def fn(x):
    y = x * 2
    y.register_hook(lambda g: g.clamp(-1, 1))
    return y.sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
