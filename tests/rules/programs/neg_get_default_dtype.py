import torch


def fn(x):
    if torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled():
        return x * 2
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
