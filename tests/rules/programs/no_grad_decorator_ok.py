import torch


@torch.no_grad()
def stats(x):
    return x.mean()


def fn(x):
    return x - stats(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
