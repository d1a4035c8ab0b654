import torch


@torch.library.custom_op("blind::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def fn(x):
    return twice(x) + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
