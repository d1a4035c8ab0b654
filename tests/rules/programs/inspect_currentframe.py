import inspect

import torch


def fn(x):
    name = inspect.currentframe().f_code.co_name
    return x + len(name)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
