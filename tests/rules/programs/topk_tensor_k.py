import torch


def fn(x, k):
    k = k + 1
    return x.topk(k)[0]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(4.0), torch.tensor(2))
