import torch


def fn(x):
    s = x.to_sparse_csr()
    return s.to_dense() + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.eye(3))
