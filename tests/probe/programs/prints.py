def fn(x):
    y = x.sin()
    print(y.shape)
    return y
