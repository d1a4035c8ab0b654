def fn(x):
    y = x + 1
    raise RuntimeError("not today")
    return y
