"""A step of AdamW, written out, in place."""

import torch

ENTRY = "step"
INPUTS = "([torch.randn(256, 256) for _ in range(4)], [torch.randn(256, 256) for _ in range(4)], "
INPUTS += "[torch.zeros(256, 256) for _ in range(4)], [torch.ones(256, 256) for _ in range(4)])"


@torch.no_grad()
def step(parameters, gradients, first, second):
    for p, g, m, v in zip(parameters, gradients, first, second):
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.999).addcmul_(g, g, value=0.001)
        p.mul_(1 - 1e-5)
        p.addcdiv_(m / 0.1, (v / 0.001).sqrt() + 1e-8, value=-1e-3)
