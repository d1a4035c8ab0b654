import os

import torch


def fn(x):
    print("before")
    os._exit(3)
