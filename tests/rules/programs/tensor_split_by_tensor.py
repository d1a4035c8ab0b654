import torch


def fn(x, at):
    parts = torch.tensor_split(x, at)
    return parts[0].sum() + parts[1].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(6.0), torch.tensor([2, 4]))
