import torch


def fn(x):
    y = x * 2
    print(f"y={y.mean()}")
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
