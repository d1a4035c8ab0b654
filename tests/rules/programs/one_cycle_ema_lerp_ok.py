import torch


def fn(avg, x):
    avg.lerp_(x, 0.1)
    return avg + x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.zeros(3))
