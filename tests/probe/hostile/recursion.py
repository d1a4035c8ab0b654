import torch


def deeper(x):
    return deeper(x) + 1


def fn(x):
    return deeper(x)
