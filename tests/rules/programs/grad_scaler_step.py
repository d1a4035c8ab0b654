import torch

scaler = torch.amp.GradScaler("cpu")
w = torch.nn.Parameter(torch.ones(3))


def fn(x):
    loss = (x * w).sum()
    return scaler.scale(loss)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
