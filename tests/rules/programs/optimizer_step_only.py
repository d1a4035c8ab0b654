import torch
from torch import nn

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def fn(x):
    loss = model(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.detach()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
