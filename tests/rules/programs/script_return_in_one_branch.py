import torch


def fn(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
