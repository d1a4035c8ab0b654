def fn(x):
    y = x.sin()
    if y.sum() > 0:
        return y + 1
    return rare(y)


def rare(y):
    print("a rare case")
    return y - 1
