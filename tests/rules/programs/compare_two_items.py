import torch


def fn(x):
    lo = x[0].item()
    hi = x[1].item()
    if lo < hi:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1.0, 2.0]))
