import torch


def fn(x):
    rows = torch.where(x > 0)[0]
    return x.index_select(0, rows)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([0.0, 1.0]))
