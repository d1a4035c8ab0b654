"""Programs that break, each in one way that can be done without, or cannot."""

from torch import nn

CALLS = []


def prints(x):
    y = x.sin()
    print("the sum is", y.sum())
    return y.cos()


def reads(x):
    scale = x.abs().mean().item()
    return x * scale


def keeps(x):
    y = x * float(x.abs().amax())
    y += y.mean().item()
    return y


def branches(x):
    if x.sum() > 0:
        return x.sin()
    return x.cos()


def loops(x):
    while x.norm() > 1:
        x = x / 2
    return x + 1


def reads_in_turn(x):
    total = x.sum()
    for row in range(3):
        total = total * round(float(x[row].sum()), 2)
    return total


class Inner(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return x * round((x * self.scale).mean().item(), 3)


class DiffersByCall(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Inner(2.0), Inner(3.0)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def remembers(x):
    CALLS.append(x.sum().item())
    return x.sin()


def picks(x):
    return x[x > 0] + 1


def two(x):
    print("begins")
    y = x.sin()
    if y.sum() > 100:
        return y
    return y + 1


def plain(x):
    return x.sin() + 1


def negated(x):
    return x.sin() if not (x.sum() < 0) else x.cos()


def writes(x):
    x.add_(1)
    print("wrote")
    return x.sin()
