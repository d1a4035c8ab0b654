import torch


def fn(parts):
    best = min(parts)
    return best + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured([torch.tensor(1.0), torch.tensor(2.0)])
