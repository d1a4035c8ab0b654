import torch


def fn(x):
    out = []
    for i in range(x.size(0)):
        out.append(x[i] * i)
    return torch.stack(out)


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3, 2),))
