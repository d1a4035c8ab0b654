import torch


def fn(x):
    held = []
    while True:
        held.append(torch.ones(64 << 20))
