import torch


def fn(x):
    with torch.profiler.record_function("block"):
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
