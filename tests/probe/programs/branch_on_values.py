def fn(x):
    if x.mean() > 0:
        return x.sqrt()
    return x.exp()
