def fn(batch):
    left, right = batch["pair"]
    return {"sum": left + right, "scaled": [left * batch["weight"]]}
