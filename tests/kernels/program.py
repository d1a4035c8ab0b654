"""Small programs whose kernels are known. Lines are found by their comments."""

import numpy as np
import torch
import torch.nn.functional as F


def pointwise(x, y):
    a = (x + y).sin()  # sin
    b = a * a  # square
    return F.gelu(b).sigmoid()  # gelu


def softmax_matmul(x, w):
    s = torch.softmax(x.view(8, 8), dim=-1)  # softmax
    _ = x * 3  # unused
    return s @ w  # matmul


def broken(x):
    y = (x + 1).relu()  # before
    print("between")  # break
    return (y * 2).sum()  # after


def mutates(x, y):
    x.add_(y)  # writes
    return x * torch.arange(8)  # arange


def trains(x, w):
    loss = (x @ w).tanh().sum()  # loss
    loss.backward()
    return w.grad


def drops(x):
    return F.dropout(x, 0.5) + 1


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def odd(x, y):
    first, second = x.sqrt(), x.sqrt()
    with torch.no_grad():
        y.copy_(first * 3)
    return Double.apply(torch.cat([first, second])).sum()


def view_only(x):
    return x.view(2, 4)


@torch.no_grad()
def steps(weights, grads, *, squares):
    for w, g, v in zip(weights, grads, squares):
        v.mul_(0.9).addcmul_(g, g, value=0.1)  # squares
        w.addcdiv_(g, v + 1, value=-0.1)  # weights


def parts(table, cache, tokens):
    rows = F.embedding(tokens, table) * 2
    past = cache[:, :4].sin() + rows
    return past + torch.zeros_like(past)


def writes_a_row(cache, row):
    cache[0, :, 3] = row
    cache[1, 0, :4].copy_(row.T)
    return cache.sum(-1)


def arrays(x, w):
    return np.tanh(x) * w + 1


def chooses(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos(), (x,))


CALLS = {
    "pointwise": lambda: (torch.randn(64, 8), torch.randn(64, 8)),
    "softmax_matmul": lambda: (torch.randn(64), torch.randn(8, 8)),
    "broken": lambda: (torch.randn(8, 8),),
    "mutates": lambda: (torch.randn(8), torch.randn(8)),
    "trains": lambda: (torch.randn(8, 8), torch.randn(8, 8, requires_grad=True)),
    "drops": lambda: (torch.randn(16),),
    "odd": lambda: (torch.rand(8, requires_grad=True), torch.rand(8)),
    "parts": lambda: (torch.randn(1000, 4), torch.randn(8, 1000), torch.arange(8)),
    "writes_a_row": lambda: (torch.zeros(2, 4, 8, 4), torch.ones(4, 4)),
    "arrays": lambda: (np.ones((4, 4), np.float32), np.ones((4, 4), np.float32)),
    "view_only": lambda: (torch.randn(8),),
}
