import torch


def fn(x):
    try:
        y = x * 2
        print("inside")
    except ValueError:
        y = x
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
