import torch


class Bad(ValueError):
    pass


def check(x):
    if x.dim() != 2:
        raise Bad("want 2d")
    return x


def fn(x):
    try:
        return check(x)
    except Bad as e:
        return x.unsqueeze(0) + len(str(e))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
