import torch


def fn(xs: list[torch.Tensor]):
    total = torch.zeros(2)
    for x in xs:
        if x.sum() > 0:
            total = total + x
    return total
