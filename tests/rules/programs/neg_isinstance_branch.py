import torch


def fn(x):
    if isinstance(x, torch.Tensor) and torch.is_tensor(x):
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
