import torch


def fn(xs):
    keep = [t for t in xs if t.mean() > 0]
    return torch.stack(keep).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(2), -torch.ones(2)])
