import torch


def fn(x):
    loss = (x ** 2).sum()
    loss.backward()
    return x.grad


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
