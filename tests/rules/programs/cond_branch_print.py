import torch


def fn(x):
    def yes(t):
        print("yes")
        return t + 1

    def no(t):
        return t - 1

    return torch.cond(x.sum() > 0, yes, no, (x,))


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(4))
