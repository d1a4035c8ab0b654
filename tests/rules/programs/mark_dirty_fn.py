import torch


class AddOne(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def fn(x):
    return AddOne.apply(x * 1)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
