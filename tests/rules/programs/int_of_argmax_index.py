import torch


def fn(x):
    i = int(x.argmax())
    return x[i] * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1.0, 5.0, 2.0]))
