import csv
import io

import torch

OUT = io.StringIO()
WRITER = csv.writer(OUT)


def fn(x):
    WRITER.writerow([1, 2])
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
