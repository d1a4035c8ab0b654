import torch

W = {"w0": 1.0, "w1": 2.0}


def fn(x, i):
    return x * W["w{}".format(i.item())]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(2), torch.tensor(1))
