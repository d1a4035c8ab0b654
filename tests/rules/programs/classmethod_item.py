import torch


class Stats:
    @classmethod
    def peak(cls, x):
        return x.max().item()


def fn(x):
    return x / Stats.peak(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
