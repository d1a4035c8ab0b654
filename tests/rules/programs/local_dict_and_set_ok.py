import torch


def fn(x):
    seen = set()
    out = {}
    for name in ("a", "b"):
        seen.add(name)
        out[name] = x + len(seen)
    return out["a"] * out["b"]


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
