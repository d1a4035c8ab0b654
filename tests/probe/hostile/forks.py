import os
import time

import torch

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.fork()
        while True:
            time.sleep(1)


def fn(x):
    print("hello")
    return x.sin()
