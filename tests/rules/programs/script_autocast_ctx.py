import torch


def fn(x: torch.Tensor):
    with torch.autocast("cpu"):
        y = x @ x
    return y


if __name__ == "__main__":
    captured = torch.jit.script(fn)
