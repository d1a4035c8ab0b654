import torch


def fn(x):
    c = complex(x)
    return x + c.real


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(2.0))
