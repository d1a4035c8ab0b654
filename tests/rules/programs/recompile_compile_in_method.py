import torch


def step(x):
    return x * 2


def run(x):
    f = torch.compile(lambda t: step(t) + 1)
    return f(x)


if __name__ == "__main__":
    for _ in range(3):
        run(torch.ones(3))
