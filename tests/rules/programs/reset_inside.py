import torch


def fn(x):
    torch._dynamo.reset()
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
