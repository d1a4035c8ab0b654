import torch


def fn(x):
    vals, counts = torch.unique_consecutive(x, return_counts=True)
    return vals * counts


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1, 1, 2]))
