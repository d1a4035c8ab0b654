import torch


def fn(x: torch.Tensor):
    d = {"x": x, "n": 3}
    return d["x"]


if __name__ == "__main__":
    captured = torch.jit.script(fn)
