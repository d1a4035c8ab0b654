"""A loop that says how far it is."""

ENTRY, INPUTS = "relax", "(torch.randn(256, 256), torch.randn(256, 256))"
FIXED = "fixed"


def relax(x, target):
    for number in range(4):
        print("round", number)
        x = x - 0.1 * (x.sin() - target).tanh() * x.cos()
    return x


def fixed(x, target):
    for _ in range(4):
        x = x - 0.1 * (x.sin() - target).tanh() * x.cos()
    return x
