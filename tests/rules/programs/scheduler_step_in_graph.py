import torch
from torch import nn

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.StepLR(opt, 1)


def fn(x):
    y = model(x)
    sched.step()
    return y


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
