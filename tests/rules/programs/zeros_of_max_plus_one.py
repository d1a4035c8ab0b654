import torch


def fn(ids):
    num = int(ids.max()) + 1
    table = torch.zeros(num)
    return table.index_add(0, ids, torch.ones(3))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([1, 3, 2]))
