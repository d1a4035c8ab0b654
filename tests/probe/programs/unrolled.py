def fn(x):
    total = x[0]
    for row in range(1, x.shape[0]):
        total = total * 2 + x[row]
    return total
