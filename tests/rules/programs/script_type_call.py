import torch


def fn(x: torch.Tensor):
    if type(x) == torch.Tensor:
        return x + 1
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
