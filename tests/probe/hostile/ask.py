import torch

name = input("name? ")


def fn(x):
    return x.sin()
