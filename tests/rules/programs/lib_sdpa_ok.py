import torch
import torch.nn.functional as F


def fn(q):
    return F.scaled_dot_product_attention(q, q, q, is_causal=True)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.randn(1, 2, 4, 8))
