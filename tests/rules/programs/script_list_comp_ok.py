import torch


def fn(x: torch.Tensor):
    parts = [t * 2 for t in x.unbind(0)]
    n = [i for i in range(3)]
    return torch.stack(parts) + n[1]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
