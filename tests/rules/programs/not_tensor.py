import torch


def fn(x, done):
    if not done:
        return x + 1
    return x - 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.tensor(False))
