import torch


def fn(x):
    def choose(v, lo=0.0):
        return v * 2 if v.sum() > lo else v * 3

    return choose(x) + choose(x + 1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
