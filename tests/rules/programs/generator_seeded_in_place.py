import torch


def noise(size, seed):
    generator = torch.Generator("cpu").manual_seed(seed)
    return torch.randn(size, generator=generator)


def fn(x):
    return x * 2 + noise(3, 1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
