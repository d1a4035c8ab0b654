import torch


def fn(x, layer):
    return layer(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3), torch.nn.Linear(3, 3))
