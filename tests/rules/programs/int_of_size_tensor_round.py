import torch


def fn(x):
    n = round(x.item())
    return torch.ones(3) * n


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(2.6))
