import torch


def fn(x):
    return torch.vmap(lambda r: r.sum() * 2)(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, 2))
