import torch


def fn(x: torch.Tensor):
    def inner(t: torch.Tensor):
        return t * 2

    return inner(x)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
