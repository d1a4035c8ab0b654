import torch


def fn(x):
    with open("/dev/null", "w") as f:
        f.write("hello")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
