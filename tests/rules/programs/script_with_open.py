import torch


def fn(x: torch.Tensor):
    with open("/dev/null") as f:
        pass
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
