import torch


def fn(x: torch.Tensor, name: str = "a.b"):
    parts = name.split(".")
    return x + len(parts)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
