"""A small GPT that samples text: KV cache, repetition penalty, top-k and top-p filters, early stop at the end token."""

import math
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    vocab_size: int = 128
    block_size: int = 64
    n_layer: int = 2
    n_head: int = 4
    n_embd: int = 32
    dropout: float = 0.0
    eos_token: int = 0


class KVCache:
    """Keys and values of the tokens seen so far, one pair a layer."""

    def __init__(self, n_layer: int):
        self.keys: list[Optional[torch.Tensor]] = [None] * n_layer
        self.values: list[Optional[torch.Tensor]] = [None] * n_layer

    def update(self, layer: int, k: torch.Tensor, v: torch.Tensor):
        if self.keys[layer] is not None:
            k = torch.cat((self.keys[layer], k), dim=2)
            v = torch.cat((self.values[layer], v), dim=2)
        self.keys[layer], self.values[layer] = k, v
        return k, v

    def __len__(self) -> int:
        return 0 if self.keys[0] is None else self.keys[0].shape[2]


class CausalSelfAttention(nn.Module):
    def __init__(self, config: GPTConfig, layer: int):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.n_head = config.n_head
        self.layer = layer
        self.dropout = config.dropout

    def forward(self, x, cache: Optional[KVCache] = None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        if cache is not None:
            k, v = cache.update(self.layer, k, v)
        # One new token sees everything before it; a prompt needs the causal mask.
        is_causal = True if T > 1 else False
        dropout = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=is_causal)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y)


class Block(nn.Module):
    def __init__(self, config: GPTConfig, layer: int):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = CausalSelfAttention(config, layer)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = nn.Sequential(
            nn.Linear(config.n_embd, 4 * config.n_embd), nn.GELU(), nn.Linear(4 * config.n_embd, config.n_embd)
        )
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x, cache: Optional[KVCache] = None):
        x = x + self.attn(self.ln_1(x), cache)
        hidden = self.mlp(self.ln_2(x))
        if hidden.dtype == torch.float16 and torch.isinf(hidden).any():
            limit = torch.finfo(hidden.dtype).max - 1000
            hidden = torch.clamp(hidden, min=-limit, max=limit)
        return x + self.scale * hidden


class GPT(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.block_size, config.n_embd)
        self.blocks = nn.ModuleList(Block(config, i) for i in range(config.n_layer))
        self.ln_f = nn.LayerNorm(config.n_embd)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight
        self.tokens_seen = 0

    def forward(self, idx, targets=None, cache: Optional[KVCache] = None):
        B, T = idx.size()
        start = 0 if cache is None else len(cache)
        assert start + T <= self.config.block_size, f"{start + T} tokens exceed the block size {self.config.block_size}"
        self.tokens_seen += B * T
        pos = torch.arange(start, start + T, dtype=torch.long, device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.blocks:
            x = block(x, cache)
        x = self.ln_f(x)
        if targets is not None:
            logits = self.lm_head(x)
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        else:
            logits = self.lm_head(x[:, [-1], :])
            loss = None
        return logits, loss


def penalize_repetition(logits: torch.Tensor, seen: torch.Tensor, penalty: float) -> torch.Tensor:
    if penalty == 1.0:
        return logits
    for row in range(seen.size(0)):
        for token in set(seen[row].tolist()):
            logits[row, token] /= penalty
    return logits


def penalize_repetition_vectorized(logits: torch.Tensor, seen: torch.Tensor, penalty: float) -> torch.Tensor:
    score = torch.gather(logits, 1, seen)
    score = torch.where(score < 0, score * penalty, score / penalty)
    return logits.scatter(1, seen, score)


def filter_logits(logits: torch.Tensor, top_k: Optional[int] = None, top_p: Optional[float] = None) -> torch.Tensor:
    if top_k is not None:
        values, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < values[:, [-1]], -float("inf"))
    if top_p is not None and top_p < 1.0:
        ordered, order = torch.sort(logits, descending=True)
        remove = F.softmax(ordered, dim=-1).cumsum(dim=-1) > top_p
        remove[:, 1:] = remove[:, :-1].clone()
        remove[:, 0] = False
        logits[remove.scatter(1, order, remove)] = -float("inf")
    return logits


def sample(logits: torch.Tensor, seen: torch.Tensor, temperature: float, top_k: int, top_p: float, penalty: float):
    """The next token of each row, and the entropy of the distribution it was drawn from."""
    logits = penalize_repetition(logits[:, -1, :], seen, penalty)
    if temperature == 0.0:
        return logits.argmax(dim=-1, keepdim=True), 0.0
    probs = F.softmax(filter_logits(logits / temperature, top_k, top_p), dim=-1)
    entropy = torch.special.entr(probs).sum(dim=-1).mean().item()
    return torch.multinomial(probs, num_samples=1), entropy / math.log(probs.size(-1))


@torch.no_grad()
def generate(model, sampler, idx, max_new_tokens: int, temperature=0.8, top_k=20, top_p=0.95, penalty=1.1):
    """The loop itself is not compiled: it may look at the tokens as it likes."""
    cache = KVCache(len(model.blocks))
    finished = torch.zeros(idx.size(0), 1, dtype=torch.bool, device=idx.device)
    inputs = idx
    for step in range(max_new_tokens):
        logits, _ = model(inputs, cache=cache)
        token, entropy = sampler(logits, idx, temperature, top_k, top_p, penalty)
        token = torch.where(finished, model.config.eos_token, token)
        finished = finished | (token == model.config.eos_token)
        idx = torch.cat((idx, token), dim=1)
        if finished.all():
            break
        if step % 8 == 0:
            print(f"step {step}: token {token[0].item()}, entropy {entropy:.2f}")
        inputs = token
    return idx


@torch.compile(backend="eager")
def greedy(model: GPT, idx: torch.Tensor, max_new_tokens: int) -> torch.Tensor:
    """Compiled whole, early stop and all: the break in the loop costs the compiled loop."""
    for _ in range(max_new_tokens):
        logits, _ = model(idx)
        token = logits[:, -1].argmax(dim=-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        if (token == model.config.eos_token).all():
            break
    return idx


if __name__ == "__main__":
    torch.manual_seed(0)
    gpt = GPT(GPTConfig()).eval()
    prompt = torch.randint(1, 128, (2, 8))
    compiled = torch.compile(gpt, backend="eager")
    sampler = torch.compile(sample, backend="eager")
    print(generate(compiled, sampler, prompt, max_new_tokens=24).shape)
    print(greedy(gpt, prompt, 4).shape)
