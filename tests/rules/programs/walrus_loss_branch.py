import torch


def fn(x):
    if (loss := x.pow(2).mean()) > 0.5:
        return loss * 2
    return loss


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
