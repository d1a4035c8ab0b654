import torch


def make(k):
    def fn(x: torch.Tensor):
        return x * k

    return fn


if __name__ == "__main__":
    captured = torch.jit.script(make(3))
