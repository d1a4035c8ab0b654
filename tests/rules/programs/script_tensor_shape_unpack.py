import torch


def fn(x: torch.Tensor):
    b, c = x.shape
    return x.reshape(b * c)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
