import torch


def fn(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return a @ b


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 2), torch.ones(2, 2))
