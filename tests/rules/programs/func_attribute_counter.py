import torch


def fn(x):
    fn.calls = getattr(fn, "calls", 0) + 1
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
