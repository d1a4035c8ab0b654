import torch


def fn(a):
    return torch.linalg.eigvals(a).abs()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.eye(3))
