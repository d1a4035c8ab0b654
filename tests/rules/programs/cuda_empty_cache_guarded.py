import torch


def fn(x):
    y = x * 2
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
