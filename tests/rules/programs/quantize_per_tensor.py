import torch


def fn(x):
    q = torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)
    return q.dequantize() + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
