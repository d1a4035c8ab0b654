"""A mixture-of-experts layer: top-k routing, a gather of tokens for each expert, capacity, a logged balancing loss."""

import logging
import random
import time
from functools import lru_cache

import torch
import torch.nn as nn
import torch.nn.functional as F

log = logging.getLogger("moe")


@lru_cache(maxsize=None)
def expert_capacity(tokens: int, experts: int, top_k: int, factor: float) -> int:
    return max(4, int(factor * tokens * top_k / experts))


class Expert(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.gate_up = nn.Linear(dim, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)

    def forward(self, x):
        gate, up = self.gate_up(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)


class Router(nn.Module):
    def __init__(self, dim: int, num_experts: int, top_k: int, jitter: float = 0.01):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(num_experts, dim) * dim**-0.5)
        self.num_experts = num_experts
        self.top_k = top_k
        self.jitter = jitter
        self.register_buffer("load", torch.zeros(num_experts))

    def forward(self, x):
        if self.training and self.jitter > 0:
            x = x * torch.empty_like(x).uniform_(1.0 - self.jitter, 1.0 + self.jitter)
        logits = F.linear(x, self.weight).float()
        probs = logits.softmax(dim=-1)
        weights, chosen = probs.topk(self.top_k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        mask = F.one_hot(chosen, num_classes=self.num_experts)
        with torch.no_grad():
            self.load.lerp_(mask.sum(dim=(0, 1)).float(), 0.1)
        balance = self.num_experts * (mask.sum(1).float().mean(0) * probs.mean(0)).sum()
        z_loss = logits.logsumexp(dim=-1).pow(2).mean()
        return weights.to(x.dtype), chosen, balance + 0.001 * z_loss


class SparseMoE(nn.Module):
    """Experts are called one by one on the tokens that chose them, as most published blocks do."""

    def __init__(self, dim: int, hidden: int, num_experts: int = 4, top_k: int = 2):
        super().__init__()
        self.router = Router(dim, num_experts, top_k)
        self.experts = nn.ModuleList([Expert(dim, hidden) for _ in range(num_experts)])
        self.num_experts = num_experts

    def forward(self, x):
        batch, length, dim = x.shape
        x = x.reshape(-1, dim)
        weights, chosen, aux_loss = self.router(x)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == i)
            out.index_add_(0, token, expert(x[token]) * weights[token, slot, None])
        return out.view(batch, length, dim), aux_loss


class GroupedMoE(nn.Module):
    """Tokens are sorted by expert and split, which needs the group sizes on the host."""

    def __init__(self, dim: int, hidden: int, num_experts: int = 4, top_k: int = 2):
        super().__init__()
        self.router = Router(dim, num_experts, top_k)
        self.experts = nn.ModuleList([Expert(dim, hidden) for _ in range(num_experts)])
        self.top_k = top_k

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        weights, chosen, aux_loss = self.router(x)
        order = chosen.flatten().argsort(stable=True)
        counts = torch.bincount(chosen.flatten(), minlength=len(self.experts)).tolist()
        grouped = x[order // self.top_k]
        parts = [expert(part) for expert, part in zip(self.experts, grouped.split(counts))]
        out = torch.cat(parts) * weights.flatten()[order, None]
        return torch.zeros_like(x).index_add(0, order // self.top_k, out).view(shape), aux_loss


class CapacityMoE(nn.Module):
    """Fixed capacity and a dispatch mask: every shape is known, nothing reads the host."""

    def __init__(self, dim: int, hidden: int, num_experts: int = 4, top_k: int = 2, factor: float = 1.25):
        super().__init__()
        self.router = Router(dim, num_experts, top_k)
        self.experts = nn.ModuleList([Expert(dim, hidden) for _ in range(num_experts)])
        self.factor = factor

    def forward(self, x):
        b, t, d = x.shape
        x = x.reshape(b * t, d)
        weights, chosen, aux_loss = self.router(x)
        capacity = expert_capacity(x.shape[0], len(self.experts), self.router.top_k, self.factor)
        mask = F.one_hot(chosen, len(self.experts)).sum(dim=1)
        position = mask.cumsum(dim=0) * mask - 1
        kept = (position >= 0) & (position < capacity)
        dispatch = F.one_hot(position.clamp(0, capacity - 1), capacity) * kept[..., None]
        gates = torch.zeros_like(mask, dtype=x.dtype).scatter(1, chosen, weights)
        slots = torch.einsum("nec,nd->ecd", dispatch.to(x.dtype), x)
        out = torch.stack([expert(slots[e]) for e, expert in enumerate(self.experts)])
        out = torch.einsum("nec,ecd,ne->nd", dispatch.to(x.dtype), out, gates)
        return out.view(b, t, d), aux_loss


class Layer(nn.Module):
    def __init__(self, dim: int, moe: nn.Module, layer_drop: float = 0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.moe = moe
        self.layer_drop = layer_drop
        self.seconds = 0.0

    def forward(self, x, log_aux: bool = False):
        if self.training and random.random() < self.layer_drop:
            return x, x.new_zeros(())
        started = time.perf_counter()
        out, aux = self.moe(self.norm(x))
        self.seconds += time.perf_counter() - started
        if log_aux:
            log.info("balancing loss %.4f", aux.item())
        return x + out, aux


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    logging.basicConfig(level=logging.INFO)
    x = torch.randn(2, 16, 32)
    for kind in (SparseMoE, GroupedMoE, CapacityMoE):
        torch.compiler.reset()
        moe = torch.compile(kind(32, 64), backend="eager")
        out, aux = moe(x)
        (out.sum() + aux).backward()
        print(f"{kind.__name__}: {tuple(out.shape)}, balancing loss {aux.item():.4f}")
    torch.compiler.reset()
    layer = torch.compile(Layer(32, CapacityMoE(32, 64)), backend="eager")
    print(tuple(layer(x, log_aux=True)[0].shape))
