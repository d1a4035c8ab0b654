import torch


def fn(x):
    return x.clamp(min=torch.finfo(torch.float16).min)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
