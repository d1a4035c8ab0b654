import torch


def progress(n):
    for i in range(n):
        if i % 2 == 0:
            print(f"{i}/{n}")
        yield i


def fn(x):
    for i in progress(3):
        x = x + i
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
