import torch


def fn(x, s):
    return torch.roll(x, int(s))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(4.0), torch.tensor(1))
