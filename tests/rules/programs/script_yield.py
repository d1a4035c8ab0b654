import torch


def fn(x: torch.Tensor):
    yield x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
