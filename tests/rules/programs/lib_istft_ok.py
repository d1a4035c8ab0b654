import torch


def fn(x):
    w = torch.hann_window(16)
    s = torch.stft(x, 16, window=w, return_complex=True)
    return torch.istft(s, 16, window=w)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.randn(64))
