import torch


def fn(x):
    match tuple(x.shape):
        case (b, c):
            return x.reshape(b * c)
        case _:
            return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2, 3))
