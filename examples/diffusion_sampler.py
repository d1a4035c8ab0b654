"""A diffusion sampler: noise schedule, timestep lookup, classifier-free guidance, thresholding, a progress callback."""

import math
from typing import Callable, Optional

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def timestep_embedding(t: torch.Tensor, dim: int, max_period: int = 10000) -> torch.Tensor:
    half = dim // 2
    freqs = torch.exp(-math.log(max_period) * torch.arange(half, dtype=torch.float32, device=t.device) / half)
    args = t[:, None].float() * freqs[None]
    embedding = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if dim % 2:
        embedding = F.pad(embedding, (0, 1))
    return embedding


class ResBlock(nn.Module):
    def __init__(self, channels: int, time_dim: int):
        super().__init__()
        self.norm = nn.GroupNorm(4, channels)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.time = nn.Linear(time_dim, channels)

    def forward(self, x, emb):
        return x + self.conv(F.silu(self.norm(x) + self.time(emb)[:, :, None, None]))


class Denoiser(nn.Module):
    def __init__(self, channels: int = 8, time_dim: int = 32, num_classes: int = 10):
        super().__init__()
        self.time_dim = time_dim
        self.stem = nn.Conv2d(3, channels, 3, padding=1)
        self.labels = nn.Embedding(num_classes + 1, time_dim)
        self.blocks = nn.ModuleList([ResBlock(channels, time_dim) for _ in range(2)])
        self.head = nn.Conv2d(channels, 3, 3, padding=1)
        self.num_classes = num_classes
        self.drop_label = 0.1

    def forward(self, sample, timestep, label: Optional[torch.Tensor] = None):
        if not torch.is_tensor(timestep):
            timestep = torch.tensor([timestep], device=sample.device)
        elif timestep.dim() == 0:
            timestep = timestep[None]
        timestep = timestep.expand(sample.shape[0])
        emb = timestep_embedding(timestep, self.time_dim).to(sample.dtype)
        if label is not None:
            if self.training and self.drop_label > 0:
                drop = torch.rand(label.shape[0], device=label.device) < self.drop_label
                label = torch.where(drop, self.num_classes, label)
            emb = emb + self.labels(label)
        x = self.stem(sample)
        for block in self.blocks:
            x = block(x, emb)
        return self.head(x)


class DDIMScheduler:
    """A plain object, as schedulers are: tensors for the schedule, an index that counts the steps."""

    def __init__(self, train_steps: int = 1000, thresholding: bool = False):
        betas = torch.linspace(0.0001**0.5, 0.02**0.5, train_steps) ** 2
        self.alphas_cumprod = torch.cumprod(1.0 - betas, dim=0)
        self.train_steps = train_steps
        self.thresholding = thresholding
        self.timesteps = torch.empty(0, dtype=torch.long)
        self.step_index: Optional[int] = None

    def set_timesteps(self, count: int):
        steps = np.linspace(0, self.train_steps - 1, count).round()[::-1].copy().astype(np.int64)
        self.timesteps = torch.from_numpy(steps)
        self.step_index = None

    def index_of(self, timestep: torch.Tensor) -> int:
        found = (self.timesteps == timestep).nonzero()
        return found[1 if len(found) > 1 else 0].item()

    def threshold(self, x0: torch.Tensor, ratio: float = 0.995) -> torch.Tensor:
        if x0.dtype not in (torch.float32, torch.float64):
            x0 = x0.float()
        b, c, h, w = x0.shape
        limit = torch.quantile(x0.abs().reshape(b, c * h * w), ratio, dim=1).clamp(min=1.0)[:, None, None, None]
        return torch.clamp(x0, -limit, limit) / limit

    def step(self, noise: torch.Tensor, timestep: torch.Tensor, sample: torch.Tensor, eta: float = 0.0):
        if self.step_index is None:
            self.step_index = self.index_of(timestep)
        previous = timestep - self.train_steps // len(self.timesteps)
        alpha = self.alphas_cumprod[timestep]
        if previous >= 0:
            alpha_previous = self.alphas_cumprod[previous]
        else:
            alpha_previous = torch.ones_like(alpha)
        x0 = (sample - (1 - alpha).sqrt() * noise) / alpha.sqrt()
        x0 = self.threshold(x0) if self.thresholding else x0.clamp(-1, 1)
        out = alpha_previous.sqrt() * x0 + (1 - alpha_previous).sqrt() * noise
        if eta > 0:
            out = out + eta * torch.randn_like(out)
        self.step_index += 1
        return out


def guided_noise(model, sample, timestep, label, scale: float, rescale: float = 0.0):
    """One batch for the conditional and the unconditional half."""
    both = torch.cat([sample, sample])
    labels = torch.cat([label, torch.full_like(label, model.num_classes)])
    conditional, unconditional = model(both, timestep, labels).chunk(2)
    noise = unconditional + scale * (conditional - unconditional)
    if rescale > 0.0:
        ratio = conditional.std(dim=(1, 2, 3), keepdim=True) / noise.std(dim=(1, 2, 3), keepdim=True)
        noise = rescale * noise * ratio + (1 - rescale) * noise
    return noise


@torch.compile(backend="eager")
def denoise_step(model, scheduler, sample, timestep, label, scale=3.0):
    """The compiled step: the scheduler's host reads come with it."""
    noise = guided_noise(model, sample, timestep, label, scale)
    if noise.isnan().any():
        raise FloatingPointError("the model returned NaN")
    return scheduler.step(noise, timestep, sample)


@torch.compile(backend="eager")
def denoise_step_inline(model, alphas, sample, index, label, scale=3.0):
    """The same step in tensors alone: the schedule is an argument and the edge is clamped."""
    alpha = alphas[index]
    alpha_previous = torch.where(index > 0, alphas[(index - 1).clamp(min=0)], 1.0)
    noise = guided_noise(model, sample, index, label, scale, rescale=0.7)
    x0 = ((sample - (1 - alpha).sqrt() * noise) / alpha.sqrt()).clamp(-1, 1)
    return alpha_previous.sqrt() * x0 + (1 - alpha_previous).sqrt() * noise


@torch.compile(backend="eager")
def sample_all(model, sample, timesteps, label, callback: Optional[Callable] = None):
    """The whole loop in one function, with its progress print."""
    for i, t in enumerate(timesteps):
        sample = sample - 0.1 * guided_noise(model, sample, t, label, 2.0)
        print(f"step {i}: t={t}, |x|={sample.abs().mean():.3f}")
        if callback is not None:
            callback(i, sample)
    return sample


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Denoiser().eval()
    scheduler = DDIMScheduler()
    scheduler.set_timesteps(6)
    sample = torch.randn(2, 3, 8, 8)
    label = torch.tensor([3, 7])
    with torch.no_grad():
        x = sample
        for t in scheduler.timesteps:
            x = denoise_step(model, scheduler, x, t, label)
        print(f"scheduler: {x.std().item():.3f}")
        x = sample
        for index in range(999, 0, -200):
            x = denoise_step_inline(model, scheduler.alphas_cumprod, x, torch.tensor([index]), label)
        print(f"inline: {x.std().item():.3f}")
        preview = torch.empty_like(sample)
        sample_all(model, sample, scheduler.timesteps, label, callback=lambda i, x: preview.copy_(x))
