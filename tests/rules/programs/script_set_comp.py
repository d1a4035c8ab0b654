import torch


def fn(x: torch.Tensor):
    s = {i for i in range(3)}
    return x + len(s)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
