import torch


class Logger:
    def info(self, k):
        return k * 2


logger = Logger()


def fn(x):
    return x + logger.info(3)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
