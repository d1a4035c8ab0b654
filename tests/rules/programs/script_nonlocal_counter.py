import torch


def fn(x: torch.Tensor):
    n = 0

    def bump():
        nonlocal n
        n += 1

    bump()
    return x + n


if __name__ == "__main__":
    captured = torch.jit.script(fn)
