import torch


class Scale:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k

    def __len__(self):
        return 3


OPS = [Scale(2), Scale(3)]


def fn(x):
    for op in OPS:
        x = op(x)
    return x + len(OPS[0])


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
