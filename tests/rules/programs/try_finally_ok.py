import torch


def fn(x):
    try:
        y = x * 2
    finally:
        z = x + 1
    return y + z


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
