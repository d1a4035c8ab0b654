import torch


def fn(x):
    y = x * 2
    torch._dynamo.graph_break()
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
