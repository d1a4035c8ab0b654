import torch


def fn(x):
    while True:
        print("x" * 10000)
