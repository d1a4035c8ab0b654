import torch


def fn(x: torch.Tensor):
    label = f"{float(x.sum()):.3f}"
    return x + len(label)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
