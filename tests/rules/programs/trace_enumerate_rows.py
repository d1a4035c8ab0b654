import torch


def fn(x):
    out = []
    for i, row in enumerate(x):
        out.append(row * i)
    return torch.stack(out)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 2),))
