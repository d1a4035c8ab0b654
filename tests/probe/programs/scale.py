def fn(x, n, flag):
    y = x.sin() if flag else x.cos()
    for _ in range(n):
        y = y + x
    return y
