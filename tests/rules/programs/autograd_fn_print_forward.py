import torch


class Probe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("fw")
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g


def fn(x):
    return Probe.apply(x).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
