import torch


def fn(x: torch.Tensor):
    if not torch.jit.is_scripting():
        print({"mean": float(x.mean())})
    return x + 1


if __name__ == "__main__":
    captured = torch.jit.script(fn)
