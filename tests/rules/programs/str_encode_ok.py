import torch


def fn(x, s):
    t = s.upper().replace("A", "C").zfill(5)
    return x + len(t) + int("12")


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), "ab")
