import torch


@torch._dynamo.disable
def host_mean(x):
    return x.mean().item()


def fn(x):
    return x * host_mean(x)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
