import torch


def fn(x: torch.Tensor):
    if x.dtype == torch.float32:
        return x.double()
    return x.half()


if __name__ == "__main__":
    captured = torch.jit.script(fn)
