import torch


def fn(a):
    return torch.linalg.matrix_rank(a) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.eye(3))
