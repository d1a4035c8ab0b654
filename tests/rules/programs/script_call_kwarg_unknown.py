import torch


def fn(x: torch.Tensor):
    return x.sum(axis=0, keepdims=True)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
