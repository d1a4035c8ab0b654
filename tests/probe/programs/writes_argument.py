def fn(x):
    x.mul_(2)
    return x + 1
