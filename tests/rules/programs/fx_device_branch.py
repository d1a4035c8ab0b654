import torch
import torch.fx


def fn(x):
    if x.device.type == "cuda":
        return x.half()
    return x * 2


if __name__ == "__main__":
    captured = torch.fx.symbolic_trace(fn)
