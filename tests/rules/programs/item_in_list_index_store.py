import torch


def fn(x, i):
    slots = [x, x]
    slots[i.item()] = x * 2
    return slots[0] + slots[1]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2), torch.tensor(1))
