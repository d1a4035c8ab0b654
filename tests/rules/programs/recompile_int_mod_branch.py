import torch


def fn(x, step):
    if step % 2 == 0:
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), 0)
