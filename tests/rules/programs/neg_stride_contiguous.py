import torch


def fn(x):
    if not x.is_contiguous():
        x = x.contiguous()
    return x.view(-1) + x.stride(0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, 2))
