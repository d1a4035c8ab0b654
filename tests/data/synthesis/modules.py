"""Small modules and functions, each of another kind of input."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Callable, Dict, List, Literal, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Perceptron(nn.Module):
    def __init__(self, in_dim, hidden, num_classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(in_dim, hidden), nn.ReLU(), nn.Linear(hidden, num_classes))

    def forward(self, x):
        return self.net(x)


class Flattened(nn.Module):
    """The spatial size hides in the first linear layer."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 5)
        self.fc = nn.Linear(6 * 12 * 12, 10)

    def forward(self, x):
        return self.fc(F.max_pool2d(self.conv(x), 2).flatten(1))


class Signal(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(5, 8, 9)

    def forward(self, wav):
        return self.conv(wav)


class Volume(nn.Module):
    def __init__(self, in_channels: int = 2):
        super().__init__()
        self.conv = nn.Conv3d(in_channels, 4, 3)
        self.norm = nn.BatchNorm3d(4)

    def forward(self, x):
        return self.norm(self.conv(x))


class Words(nn.Module):
    def __init__(self, vocab_size=50, dim=12):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim)
        self.rnn = nn.LSTM(dim, 7, batch_first=True)

    def forward(self, tokens):
        return self.rnn(self.embed(tokens))[0]


class ShortPositions(nn.Module):
    """The sequence may have four tokens at most."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.position = nn.Embedding(4, 16)

    def forward(self, ids):
        b, t = ids.shape
        assert t <= 4
        return self.embed(ids) + self.position(torch.arange(t))


class Attention(nn.Module):
    def __init__(self, d_model, nhead):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, nhead, batch_first=True)

    def forward(self, query, key, value):
        return self.attention(query, key, value)[0]


class CrossAttention(nn.Module):
    """The second input has another width, which only an error tells."""

    def __init__(self, dim: int = 24, context_dim: int = 40):
        super().__init__()
        self.q = nn.Linear(dim, 16)
        self.kv = nn.Linear(context_dim, 32)

    def forward(self, x, context):
        k, v = self.kv(context).chunk(2, dim=-1)
        return F.scaled_dot_product_attention(self.q(x), k, v)


class TextTransformer(nn.Module):
    def __init__(self, dim, depth, heads, num_tokens, max_seq_len):
        super().__init__()
        if dim % heads:
            raise ValueError("dim must be divisible by heads")
        self.token = nn.Embedding(num_tokens, dim)
        self.place = nn.Parameter(torch.zeros(max_seq_len, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, 64, batch_first=True)
        self.body = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)

    def forward(self, input_ids, attention_mask=None):
        x = self.token(input_ids) + self.place[: input_ids.shape[1]]
        return self.body(x)


class Patches(nn.Module):
    def __init__(self, *, image_size, patch_size, dim, channels=3):
        super().__init__()
        assert image_size % patch_size == 0
        self.size = image_size
        self.embed = nn.Conv2d(channels, dim, patch_size, patch_size)
        self.place = nn.Parameter(torch.zeros(1, (image_size // patch_size) ** 2, dim))

    def forward(self, img):
        b, c, h, w = img.shape
        if h != self.size:
            raise ValueError(f"the image is {h} high and not {self.size}")
        return self.embed(img).flatten(2).transpose(1, 2) + self.place


class FixedImage(nn.Module):
    """No attribute tells the size, only the assertion."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3)
        self._side = 48

    def forward(self, x):
        assert x.shape[-1] == self._side
        assert x.shape[-2] == self._side
        return self.conv(x)


class MultipleOf(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 1)

    def forward(self, image):
        assert image.shape[2] % 7 == 0 and image.shape[3] % 7 == 0, "sides are multiples of the window"
        return self.conv(image)


@dataclass
class SmallConfig:
    n_embd: int = 768
    n_head: int = 12
    n_layer: int = 12
    vocab_size: int = 50257
    block_size: int = 64


class WithConfig(nn.Module):
    def __init__(self, config: SmallConfig):
        super().__init__()
        self.embed = nn.Embedding(config.vocab_size, config.n_embd)
        self.layers = nn.ModuleList(nn.Linear(config.n_embd, config.n_embd) for _ in range(config.n_layer))

    def forward(self, idx):
        x = self.embed(idx)
        for layer in self.layers:
            x = x + layer(x)
        return x


class WithUnannotatedConfig(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.body = nn.Linear(config.n_embd, config.vocab_size)

    def forward(self, x):
        return self.body(x)


class WithArguments(nn.Module):
    """Settings without a class: what the constructor reads."""

    def __init__(self, opt, scale):
        super().__init__()
        self.fc = nn.Linear(opt.input_dim, opt.hidden_size)
        self.out = nn.Linear(opt.hidden_size, opt.num_classes)
        self.scale = scale

    def forward(self, features):
        return self.out(self.fc(features)) * self.scale


class WithSettingsDict(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.fc = nn.Linear(cfg["width"], cfg["classes"])

    def forward(self, x):
        return self.fc(x)


class Pooling(enum.Enum):
    MEAN = "mean"
    MAX = "max"


class WithEnum(nn.Module):
    def __init__(self, dim: int, pooling: Pooling, order: Literal["first", "last"]):
        super().__init__()
        self.fc = nn.Linear(dim, 4)
        self.pooling, self.order = Pooling(pooling), order
        if order not in ("first", "last"):
            raise ValueError(order)

    def forward(self, x):
        y = self.fc(x)
        return y.mean(-1) if self.pooling is Pooling.MEAN else y.amax(-1)


class WithMode(nn.Module):
    """A string that only the comparisons name."""

    def __init__(self, mode):
        super().__init__()
        if mode not in ("zigzag", "spiral"):
            raise ValueError(f"unknown mode {mode}")
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


class WithActivation(nn.Module):
    def __init__(self, dim: int, act: Callable[[Tensor], Tensor]):
        super().__init__()
        self.fc, self.act = nn.Linear(dim, dim), act

    def forward(self, x: Tensor) -> Tensor:
        return self.act(self.fc(x))


class Nested(nn.Module):
    def __init__(self, encoder: Perceptron, head: nn.Module):
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, x):
        return self.encoder(x)


class Sizes(nn.Module):
    """A list where a number was tried first."""

    def __init__(self, hidden):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(hidden[:-1], hidden[1:])])
        self.first = hidden[0]

    def forward(self, x):
        return self.layers(x)


class OptionalNeeded(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x: Optional[Tensor] = None, gate: Optional[Tensor] = None):
        if gate is None:
            raise ValueError("gate must be provided")
        return self.fc(x) * gate


class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.LazyLinear(5)

    def forward(self, x):
        return self.fc(x)


class Double(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(9, 3, dtype=torch.float64)

    def forward(self, x):
        return self.fc(x)


class OwnParameter(nn.Module):
    def __init__(self, in_features: int = 11, out_features: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(in_features, out_features))

    def forward(self, x):
        return x @ self.weight


class Typed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(13, 3)

    def forward(self, x: Float[Tensor, "batch time 13"], keep: Bool[Tensor, "batch time"]):  # noqa: F821
        return self.fc(x)[keep]


class Documented(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, grid, when):
        """Adds the time to a grid.

        Args:
            grid (Tensor): values of shape (B, 5, H, W)
            when (Tensor): times of shape (B, 1)
        """
        assert grid.dim() == 4 and grid.shape[1] == 5 and when.dim() == 2
        return grid * self.scale + when[:, :, None, None]


class Example(nn.Module):
    """Takes an odd size that nothing but the example tells.

    >>> model = Example(width=17)
    >>> x = torch.rand(3, 17)
    >>> y = model(x, strength=0.25)
    """

    def __init__(self, width):
        super().__init__()
        if width != 17:
            raise ValueError("wrong")

    def forward(self, x, strength):
        return x.view(3, 17) * strength


class ListInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, features: List[Tensor], pair: Tuple[Tensor, Tensor]):
        return torch.stack([self.fc(f) for f in features]).sum() + pair[0].sum() * pair[1].sum()


class DictInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.text, self.image = nn.Embedding(20, 4), nn.Conv2d(3, 4, 3)

    def forward(self, batch: Dict[str, Tensor]):
        return self.text(batch["tokens"]).sum() + self.image(batch["image"]).sum()


class ObjectInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, data):
        return self.fc(data.x).index_add(0, data.edge_index[0], self.fc(data.x)[data.edge_index[1]])


class Graph(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.fc = nn.Linear(in_channels, out_channels)

    def forward(self, x, edge_index):
        source, target = edge_index
        return self.fc(x).index_add(0, target, self.fc(x)[source])


class Diffusion(nn.Module):
    def __init__(self, channels: int = 3):
        super().__init__()
        self.conv, self.time = nn.Conv2d(channels, channels, 3, padding=1), nn.Embedding(10, channels)

    def forward(self, sample, timestep):
        return self.conv(sample) + self.time(timestep)[:, :, None, None]


class HandsOn(nn.Module):
    """The parameters have names one method further."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 3)

    def forward(self, *args, **kwargs):
        return self.encode(*args, **kwargs)

    def encode(self, input_ids, factor: float):
        return self.embed(input_ids) * factor


class Caching(nn.Module):
    """Keeps what it was called with: a fake tensor must not stay behind."""

    def __init__(self):
        super().__init__()
        self.fc, self.last = nn.Linear(5, 5), None

    def forward(self, x):
        if self.last is not None:
            x = x + self.last
        self.last = self.fc(x)
        return self.last.sum().item()


class DataDependent(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 1)

    def forward(self, x):
        kept = x[self.fc(x)[..., 0] > -1000]
        return kept.sum() if kept.numel() else x.sum()


def masked_mean(x: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    return (x * mask).sum(dim) / mask.sum(dim)


def branch_on_value(x):
    if x > 0:
        return x + 1
    return x - 1


def repeated(x, n):
    for _ in range(n):
        x = x.sin()
    return x


def choose(values, index):
    return values[index] + torch.gather(values, 0, index)


def pairwise(a, b):
    return a.unsqueeze(1) @ b.unsqueeze(2) + F.cosine_similarity(a, b).view(-1, 1, 1)


def images(x):
    b, c, h, w = x.shape
    return F.avg_pool2d(x, 2).view(b, -1)
