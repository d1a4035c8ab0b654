import torch


def fn(x):
    match x:
        case 1:
            return x + 10
        case _:
            return x - 10


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.tensor(1))
