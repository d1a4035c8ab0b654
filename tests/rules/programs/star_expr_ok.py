import torch


def fn(xs):
    first, *rest = xs
    return torch.stack([first, *rest]).sum(0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(3), torch.ones(3), torch.ones(3)])
