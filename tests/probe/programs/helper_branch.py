def soften(y):
    if y.abs().max() > 1:
        return y / y.abs().max()
    return y


def fn(x):
    return soften(x * 3) + 1
