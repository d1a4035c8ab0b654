import torch


def fn(x: torch.Tensor):
    return x.numpy()


if __name__ == "__main__":
    captured = torch.jit.script(fn)
