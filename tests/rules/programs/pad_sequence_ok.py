import torch
from torch.nn.utils.rnn import pad_sequence


def fn(xs):
    return pad_sequence(xs, batch_first=True).sum(0)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.ones(2), torch.ones(3)])
