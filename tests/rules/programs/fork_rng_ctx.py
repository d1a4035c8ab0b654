import torch


def fn(x):
    with torch.random.fork_rng(devices=[]):
        n = torch.rand(3)
    return x + n * 0


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
