import torch


def fn(x):
    return torch.view_as_complex(x).abs()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, 2))
