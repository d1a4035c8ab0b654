import torch


def fn(x: torch.Tensor):
    if x.device.type == "cpu" and not x.is_cuda:
        return x.to("cpu")
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
