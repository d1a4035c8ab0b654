import torch


def fn(x, flag):
    if flag.is_nonzero():
        x = x.exp()
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.tensor(1))
