import torch


class Cfg:
    scale = 2.0


def fn(x):
    return x * Cfg.scale


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
