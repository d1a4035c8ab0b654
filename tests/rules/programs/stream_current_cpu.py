import torch


def fn(x):
    if x.is_cuda:
        s = torch.cuda.current_stream()
        x.record_stream(s)
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
