import torch


def fn(a):
    w, v = torch.linalg.eigh(a + a.T)
    return v @ torch.diag(w)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.eye(3))
