"""Exporting an image classifier: torch.export with a dynamic batch, with torch.jit.trace as the fallback.

The models hold what real ones do: sizes turned into numbers, branches on the dtype, a loop over the batch, a check of
the values.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class PatchEmbed(nn.Module):
    def __init__(self, image: int = 32, patch: int = 8, dim: int = 32):
        super().__init__()
        self.image, self.patch = image, patch
        self.proj = nn.Conv2d(3, dim, patch, stride=patch)
        self.pos = nn.Parameter(torch.randn(1, (image // patch) ** 2, dim) * 0.02)

    def interpolated(self, h: int, w: int):
        """The position table for another size: its side is computed on the host."""
        if h * w == self.pos.shape[1] and h == w:
            return self.pos
        side = int(math.sqrt(self.pos.shape[1]))
        grid = self.pos.reshape(1, side, side, -1).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=(h, w), mode="bilinear", align_corners=False)
        return grid.flatten(2).transpose(1, 2)

    def forward(self, x):
        x = self.proj(x)
        h, w = x.shape[-2:]
        return x.flatten(2).transpose(1, 2) + self.interpolated(h, w)


class Attention(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.heads = heads

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * (d // self.heads) ** -0.5
        if scores.dtype in (torch.float16, torch.bfloat16):
            scores = scores.float()
        return self.out((scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2).reshape(b, n, d))


class Classifier(nn.Module):
    """What exports: shapes stay symbolic, every branch is on what the trace may keep."""

    def __init__(self, classes: int = 10, dim: int = 32, depth: int = 2):
        super().__init__()
        self.embed = PatchEmbed(dim=dim)
        self.layers = nn.ModuleList([Attention(dim, 4) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.LayerNorm(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)
        self.drop = 0.1

    def forward(self, x):
        x = self.embed(x)
        for norm, layer in zip(self.norms, self.layers):
            x = x + layer(norm(x))
        x = F.dropout(x.mean(dim=1), p=self.drop, training=self.training)
        return self.head(x)


class Calibrated(nn.Module):
    """Wraps a classifier with what its users asked for; none of it survives a trace."""

    def __init__(self, model: nn.Module, temperature: float = 1.5):
        super().__init__()
        self.model = model
        self.register_buffer("temperature", torch.tensor(temperature))

    def forward(self, x):
        if x.max() > 1.0:
            x = x / 255.0
        logits = self.model(x) / self.temperature.item()
        rows = []
        for i in range(x.shape[0]):
            rows.append(logits[i] - logits[i].max())
        probs = torch.stack(rows).softmax(dim=-1)
        best = int(probs.sum(dim=0).argmax())
        return probs, probs[:, best]


class LengthPooling(nn.Module):
    """A padded sequence to its mean. Lengths come as counts or, from some loaders, as fractions of the padded length."""

    def __init__(self, dim: int = 8):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        if lengths.is_floating_point():
            lengths = (lengths * x.shape[1]).round().long()
        longest = lengths.max().item()
        if longest < x.shape[1]:
            x = x[:, :longest]
        mask = torch.arange(longest)[None, :] < lengths[:, None]
        x = self.proj(x) * mask[..., None]
        return x.sum(dim=1) / lengths[:, None]


class Normalize(nn.Module):
    """Scripted: TorchScript compiles the branch, and needs the annotations."""

    def __init__(self, eps: float = 1e-6):
        super().__init__()
        self.eps = eps

    def forward(self, x: torch.Tensor, p: int = 2) -> torch.Tensor:
        norm = x.norm(p=float(p), dim=-1, keepdim=True)
        if bool((norm < self.eps).any()):
            norm = norm.clamp(min=self.eps)
        for _ in range(x.size(0)):
            x = x * 1.0
        return x / norm


if __name__ == "__main__":
    torch.manual_seed(0)
    batch = torch.export.Dim("batch", min=2, max=64)
    images = torch.rand(4, 3, 32, 32)
    classifier = Classifier().eval()
    program = torch.export.export(classifier, (images,), dynamic_shapes={"x": {0: batch}})
    print("classifier:", tuple(program.module()(torch.rand(7, 3, 32, 32)).shape))

    calibrated = Calibrated(classifier).eval()
    traced = torch.jit.trace(calibrated, (images,), check_trace=False)
    bytes_ = images * 255.0
    print("calibrated, traced on [0, 1]: off by", (traced(bytes_)[0] - calibrated(bytes_)[0]).abs().max().item())

    pooling = LengthPooling().eval()
    x, lengths = torch.randn(3, 6, 8), torch.tensor([4, 3, 2])
    try:
        pooled = torch.export.export(pooling, (x, lengths)).module()
    except Exception as error:
        print(f"pooling: {type(error).__name__}, tracing instead")
        pooled = torch.jit.trace(pooling, (x, lengths), check_trace=False)
    longer = torch.tensor([6, 4, 2])
    print("pooling: off by", (pooled(x, longer) - pooling(x, longer)).abs().max().item())

    normalize = torch.jit.script(Normalize())
    print("normalize:", tuple(normalize(torch.zeros(2, 3)).shape))
