def fn(x):
    if bool((x < 0).any()):
        raise ValueError("negative")
    return x.log1p()
