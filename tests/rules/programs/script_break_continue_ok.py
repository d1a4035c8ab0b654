import torch


def fn(x: torch.Tensor):
    for i in range(5):
        if i == 1:
            continue
        if i == 3:
            break
        x = x + i
    return x


if __name__ == "__main__":
    captured = torch.jit.script(fn)
