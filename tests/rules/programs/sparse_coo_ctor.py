import torch


def fn(idx, vals):
    a = torch.sparse_coo_tensor(idx, vals, (2, 2))
    return a.to_dense() * 2


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor([[0, 1], [1, 0]]), torch.ones(2))
