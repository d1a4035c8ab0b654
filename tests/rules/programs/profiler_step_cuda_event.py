import torch


def fn(x):
    torch.cuda.nvtx.range_push("a") if torch.cuda.is_available() else None
    return x * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
