import torch


def fn(x):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return (x * x).sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3, requires_grad=True))
