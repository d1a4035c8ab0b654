import torch


def fn(x: torch.Tensor):
    with torch.no_grad():
        y = x * 2
    return y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
