import torch


def fn(x):
    torch._dynamo.mark_dynamic(x, 0)
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
