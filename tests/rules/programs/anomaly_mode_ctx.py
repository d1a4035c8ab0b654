import torch


def fn(x):
    with torch.autograd.set_detect_anomaly(True):
        return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
