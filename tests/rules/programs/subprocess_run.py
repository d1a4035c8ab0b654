import subprocess

import torch


def fn(x):
    subprocess.run(["true"])
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
