def fn(x):
    top = x.max().item()
    return x / top
