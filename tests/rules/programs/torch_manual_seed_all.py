import torch


def fn(x):
    torch.cuda.manual_seed_all(0)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
