HISTORY = []


def fn(x):
    y = x.tanh()
    HISTORY.append(len(HISTORY))
    return y + len(HISTORY)
