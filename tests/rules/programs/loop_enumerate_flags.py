import torch


def fn(x, flags):
    for i, f in enumerate(flags):
        if f:
            x = x + i
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.tensor([True, False, True]))
