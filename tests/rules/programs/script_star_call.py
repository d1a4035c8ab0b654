import torch


def fn(x: torch.Tensor):
    dims = (1, 0)
    return x.permute(*dims)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
