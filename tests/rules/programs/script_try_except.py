import torch


def fn(x: torch.Tensor):
    try:
        y = x.view(2)
    except RuntimeError:
        y = x
    return y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
