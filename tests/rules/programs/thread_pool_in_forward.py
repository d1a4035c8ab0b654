from concurrent.futures import ThreadPoolExecutor

import torch


def fn(x):
    with ThreadPoolExecutor(1) as pool:
        y = pool.submit(torch.sin, x).result()
    return y + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
