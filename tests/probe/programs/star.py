def fn(*parts):
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
