import contextlib
import io

import torch


def fn(x):
    buf = io.StringIO()
    with contextlib.redirect_stdout(buf):
        y = x * 2
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
