import torch


def fn(x):
    y = x.sin()
    print("before")
    if torch.compiler.is_compiling():
        while True:
            y = y + 1
    return y
