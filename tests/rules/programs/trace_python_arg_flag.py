import torch


def fn(x, flip):
    return x.flip(0) * 2 if bool(flip) else x


if __name__ == "__main__":
    captured = torch.jit.trace(fn, (torch.ones(3), torch.tensor(True)))
