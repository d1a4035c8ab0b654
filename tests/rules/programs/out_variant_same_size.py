import torch


def fn(x, buf):
    torch.add(x, 1, out=buf)
    return buf * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), torch.empty(3))
