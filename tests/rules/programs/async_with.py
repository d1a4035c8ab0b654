import torch


class Ctx:
    async def __aenter__(self):
        return 1

    async def __aexit__(self, *a):
        return False


async def inner(x):
    async with Ctx() as k:
        return x * k


def fn(x):
    co = inner(x)
    try:
        co.send(None)
    except StopIteration as e:
        return e.value


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
