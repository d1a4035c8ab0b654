"""Twenty programs whose breaks hide on paths that one input does not take. For each `INPUTS` holds an input that a user
might give and, after it, inputs that take the other sides. A break is made with a `print`, an `.item()`, a `tolist`,
a `nonzero` or a call that Dynamo does not trace."""

import time

import torch
from torch import nn


def nested_ifs(x):
    y = x * 2
    if x.sum() > 0:
        y = y + 1
        if x.max() > 10:
            print("large")
            y = y - 1
            if x.min() < -5:
                return y.tolist()
    else:
        y = y.relu()
        if x.mean() < -100:
            y = y[y.nonzero()]
    return y + 1


def elif_ladder(x):
    s = x.sum()
    if s > 100:
        print("over a hundred")
    elif s > 50:
        x = x * s.item()
    elif s > 20:
        x = x + time.time()
    elif s > 0:
        x = x.cos()
    else:
        torch._dynamo.graph_break()
    return x.sin()


def item_ladder(x):
    n = x.abs().max().int().item()
    y = x * 2
    if n > 17:
        print("big")
        return y + n
    if n == 3:
        return y.view(-1).tolist()
    for i in range(n):
        y = y + i
        if i == 9:
            y = torch.from_numpy(y.cpu().numpy()).sum()
            print("nine")
    return y * n


def float_ladder(x):
    t = x.mean().item()
    if t > 0.9:
        print("hot")
        return x.cos()
    if t * 10 < -3.5:
        print("cold")
    if abs(t) < 1e-6:
        return x.tolist()
    return x * t


def norm_loop(x):
    steps = 0
    while x.norm() > 1:
        x = x / 2
        steps += 1
        if steps == 2:
            print("two steps")
    if x.sum() < 0:
        return x.tolist()
    return x + steps


def flags(x, mask):
    y = x.sin()
    if mask.any():
        y = y + 1
        if mask.all():
            print("all")
    if not mask[0]:
        y = y.tolist()
    return y


MODES = ["plain", "scaled", "printed", "listed"]


def mode_by_argmax(x):
    mode = MODES[int(x.argmax())]
    y = x.softmax(0)
    if mode == "scaled":
        y = y * 3
    elif mode == "printed":
        print(mode)
    elif mode == "listed":
        y = y.tolist()
    return y


def _double(x):
    return x * 2


def _printed(x):
    print("seven")
    return x


def _counted(x):
    return x + len(x.nonzero().tolist())


HANDLERS = {1: _double, 7: _printed, 40: _counted}


def dispatch(x):
    code = int(x[0])
    handler = HANDLERS.get(code)
    if handler is None:
        torch._dynamo.graph_break()
        return x
    return handler(x)


class Expert(nn.Module):
    def __init__(self, loud):
        super().__init__()
        self.loud = loud
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        if self.loud:
            print("expert")
        return self.linear(x)


class Router(nn.Module):
    """Which expert runs is read from the gate."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleList([Expert(False), Expert(False), Expert(True)])
        with torch.no_grad():
            self.gate.weight.copy_(torch.eye(3, 4))
            self.gate.bias.zero_()

    def forward(self, x):
        index = self.gate(x).argmax().item()
        return self.experts[index](x)


class Gate(nn.Module):
    def __init__(self, limit, log=None):
        super().__init__()
        self.limit = limit
        self.log = log

    def forward(self, x):
        if x.sum() > self.limit:
            x = x - 1
            if self.log:
                print(self.log)
        return x


class Stack(nn.Module):
    """Submodules with one code and different settings: only the third one prints."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Gate(10), Gate(20), Gate(1000, "third"))

    def forward(self, x):
        return self.blocks(x).relu()


def _clip(x, limit):
    if x.abs().max() > limit:
        print("clipped")
        return x.clamp(-limit, limit)
    return x


def _normalised(x):
    scale = x.std()
    if scale < 1e-3:
        return _flat(x)
    return _clip(x / scale, 50)


def _flat(x):
    if x.sum() > 100:
        return torch.tensor(x.tolist())
    return x


def helpers(x):
    return _normalised(x) + _clip(x, 5)


def skipped(x):
    total = x.new_zeros(())
    for row in x:
        try:
            if row.sum() > 3:
                total = total + float(row[0])
            if row.sum() < -3:
                total = total - _loud(row)
        finally:
            total = total + 1
    return total


def _loud(row):
    row = row.cos()
    print("row")
    return row.sum()


def by_match(x):
    match x.long().sum().item():
        case 0:
            return x.tolist()
        case 1 | 2:
            print("few")
        case n if n > 1000:
            torch._dynamo.graph_break()
        case _:
            x = x + 1
    return x


def lengths(x, sizes):
    parts = []
    for size in sizes.tolist():
        if size > 6:
            print("long")
            size = 6
        if size == 0:
            torch._dynamo.graph_break()
            continue
        parts.append(x[:size].sum())
    return torch.stack(parts) if parts else x


def two_flags(x, y):
    big = False
    if x.sum() > 100:
        big = True
    z = x + y
    if y.sum() > 100:
        z = z * 2
        if big:
            print("both")
    if y.sum() < -100 and not big:
        z = z.tolist()
    return z


def remainder(x):
    n = int(x.sum())
    k = n * 3 + 1
    if k % 5 == 4:
        print("four left over")
    elif k // 7 > 30:
        x = x.tolist()
    return x


def two_numbers(x):
    low, high = x.min().item(), x.max().item()
    middle = (low + high) / 2
    if middle > 3:
        print("above")
    if high - low > 50:
        return x.tolist()
    if low > high - 0.5:
        torch._dynamo.graph_break()
    return x / (high + 1)


def same_or_near(x, y):
    if torch.equal(x, y):
        print("equal")
    elif torch.allclose(x, y, atol=0.1):
        return x.tolist()
    if 3.0 in x:
        x = x + time.time()
    return x + y


class Counter(nn.Module):
    """What one path leaves behind must not be there on the next one."""

    def __init__(self):
        super().__init__()
        self.seen = 0
        self.history = []

    def forward(self, x):
        if x.sum() > 0:
            self.seen += 1
            self.history.append("up")
        if x.max() > 5:
            self.history.append("high")
        if len(self.history) > 2:
            print("stale")
        if self.history == ["high"]:
            return x.tolist()
        return x * 2


class Stages(nn.Module):
    """The number that was read becomes part of a name."""

    def __init__(self):
        super().__init__()
        for number in range(3):
            setattr(self, f"stage{number}", Expert(number == 2))

    def forward(self, x):
        depth = int(x[0, 0])
        x = getattr(self, f"stage{depth}")(x)
        flag = x.sum().item() > 1e6
        if flag:
            torch._dynamo.graph_break()
        return x


#: Inputs as expressions in this file's namespace.
INPUTS = {
    "nested_ifs": [
        "torch.ones(4)",
        "torch.full((4,), 11.0)",
        "torch.tensor([30.0, -6.0])",
        "-torch.ones(4)",
        "torch.full((4,), -200.0)",
    ],
    "elif_ladder": [
        "torch.tensor([1.0])",
        "torch.tensor([101.0])",
        "torch.tensor([51.0])",
        "torch.tensor([21.0])",
        "torch.tensor([-1.0])",
    ],
    "item_ladder": [f"torch.ones(3, 4) * {n}" for n in (5, 20, 3, 10, 0)],
    "float_ladder": [f"torch.full((3,), {v})" for v in (0.5, 1.5, -1.0, 0.0)],
    "norm_loop": [
        "torch.tensor([0.5, 0.1])",
        "torch.tensor([1.5, 0.0])",
        "torch.tensor([3.0, 0.0])",
        "torch.tensor([-0.5, 0.0])",
        "torch.tensor([-3.0, 0.0])",
    ],
    "flags": [
        "(torch.ones(2), torch.tensor([True, False]))",
        "(torch.ones(2), torch.tensor([True, True]))",
        "(torch.ones(2), torch.tensor([False, True]))",
        "(torch.ones(2), torch.tensor([False, False]))",
    ],
    "mode_by_argmax": [f"torch.eye(4)[{n}]" for n in range(4)],
    "dispatch": [f"torch.tensor([{n}.0, 2.0])" for n in (1, 7, 40, 3)],
    "Router": [f"torch.eye(4)[{n}]" for n in range(3)],
    "Stack": ["torch.zeros(3)", "torch.full((3,), 5.0)", "torch.full((3,), 9.0)", "torch.full((3,), 900.0)"],
    "helpers": [
        "torch.tensor([1.0, 2.0, 3.0])",
        "torch.tensor([1.0, 2.0, 30.0])",
        "torch.ones(3)",
        "torch.full((3,), 90.0)",
        "torch.tensor([1000.0, 1000.01, 1000.02])",
    ],
    "skipped": ["torch.ones(2, 2)", "torch.ones(2, 2) * 3", "torch.ones(2, 2) * -3"],
    "by_match": [f"torch.tensor([{n}.0])" for n in (5, 0, 1, 2, 2000)],
    "lengths": [
        "(torch.ones(8), torch.tensor([2, 3, 4]))",
        "(torch.ones(8), torch.tensor([2, 7, 4]))",
        "(torch.ones(8), torch.tensor([2, 3, 0]))",
        "(torch.ones(8), torch.tensor([0, 0, 0]))",
    ],
    "two_flags": [
        "(torch.ones(2), torch.ones(2))",
        "(torch.full((2,), 60.0), torch.full((2,), 60.0))",
        "(torch.ones(2), torch.full((2,), -60.0))",
        "(torch.full((2,), 60.0), torch.full((2,), -60.0))",
    ],
    "remainder": [f"torch.tensor([{n}.0])" for n in (3, 1, 80, 82)],
    "two_numbers": [
        "torch.tensor([1.0, 2.0])",
        "torch.tensor([3.0, 5.0])",
        "torch.tensor([-40.0, 40.0])",
        "torch.tensor([2.0, 2.0])",
    ],
    "same_or_near": [
        "(torch.ones(2), torch.zeros(2))",
        "(torch.ones(2), torch.ones(2))",
        "(torch.ones(2), torch.ones(2) + 0.05)",
        "(torch.full((2,), 3.0), torch.zeros(2))",
    ],
    "Counter": ["torch.tensor([1.0, 2.0])", "torch.tensor([1.0, 9.0])", "torch.tensor([-9.0, 6.0])", "-torch.ones(2)"],
    "Stages": [
        "torch.zeros(1, 4)",
        "torch.tensor([[2.0, 0.0, 0.0, 0.0]])",
        "torch.tensor([[1.0, 0.0, 0.0, 0.0]])",
        "torch.tensor([[0.0, 1e8, -1e8, 1e9]])",
        "torch.tensor([[0.0, -1e8, 1e8, -1e9]])",
    ],
}
