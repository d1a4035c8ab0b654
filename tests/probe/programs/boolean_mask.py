def fn(x):
    return x[x > 0].sum()
