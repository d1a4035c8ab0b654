"""One round of messages on a graph."""

import torch
from torch import nn

ENTRY = "Step().eval()"
INPUTS = "(torch.randn(1000, 64), torch.randint(0, 1000, (2, 8000)))"


class Step(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.message = nn.Linear(2 * width, width)
        self.update = nn.Linear(2 * width, width)

    def forward(self, nodes, edges):
        source, target = edges[0], edges[1]
        sent = torch.relu(self.message(torch.cat([nodes[source], nodes[target]], dim=-1)))
        got = torch.zeros_like(nodes).index_add(0, target, sent)
        return nodes + torch.tanh(self.update(torch.cat([nodes, got], dim=-1)))
