import torch


def fn(x):
    with torch.profiler.profile() as prof:
        y = x * 2
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
