import torch


def fn(x):
    state = torch.get_rng_state()
    y = x + torch.rand(3)
    torch.set_rng_state(state)
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
