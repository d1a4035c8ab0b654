"""A training step compiled whole: metrics, logging, a gradient-norm check, an early stop at NaN, an EMA of the weights."""

import copy
import json
import logging
import os
import warnings
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger("train")
history: dict[str, list[float]] = defaultdict(list)
global_step = 0


class Meter:
    """A running mean kept on the host."""

    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value: float, n: int = 1):
        self.total += value * n
        self.count += n

    @property
    def mean(self) -> float:
        return self.total / max(1, self.count)


class TensorMeter:
    """The same mean kept in tensors: nothing waits for the device."""

    def __init__(self, device="cpu"):
        self.total = torch.zeros((), device=device)
        self.count = torch.zeros((), device=device)

    def update(self, value: torch.Tensor, n: int = 1):
        self.total += value.detach() * n
        self.count += n

    def compute(self) -> float:
        return (self.total / self.count.clamp(min=1)).item()


class Net(nn.Module):
    def __init__(self, features: int = 16, classes: int = 4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(32, classes)
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))

    def forward(self, x, mask=None):
        if self.training:
            self.seen += x.size(0)
        if mask is not None:
            x = x * mask
        if x.ndim == 3:
            x = x.flatten(1)
        assert torch.isfinite(x).all(), "the input holds NaN or infinity"
        return self.head(self.body(x))


def smooth_cross_entropy(logits, target, epsilon: float = 0.1, weight=None):
    log_probs = F.log_softmax(logits, dim=-1)
    nll = -log_probs.gather(1, target[:, None]).squeeze(1)
    loss = (1 - epsilon) * nll - epsilon * log_probs.mean(dim=-1)
    if weight is not None:
        loss = loss * weight[target]
    return loss.mean()


def accuracy(logits, target, topk=(1, 2)):
    with torch.no_grad():
        _, predicted = logits.topk(max(topk), dim=1)
        correct = predicted.eq(target[:, None])
        return [correct[:, :k].any(dim=1).float().mean() for k in topk]


def per_class_recall(logits, target):
    """Recall of the classes that occur in the batch."""
    predicted = logits.argmax(dim=1)
    result = {}
    for c in torch.unique(target):
        chosen = target == c
        result[int(c)] = (predicted[chosen] == c).float().mean()
    return result


def training_loss(model, x, target, meter):
    """Compiled with the model: what is lost and what is told about it."""
    logits = model(x)
    loss = smooth_cross_entropy(logits, target)
    top1, top2 = accuracy(logits, target)
    meter.update(loss.item(), x.size(0))
    history["top1"].append(float(top1))
    if not torch.isfinite(loss):
        logger.error("loss is %s at step %d", loss, global_step)
        raise FloatingPointError("loss is not finite")
    if os.environ.get("LOG_RECALL") == "1":
        logger.info("recall %s", per_class_recall(logits, target))
    return loss


def training_loss_on_device(model, x, target, meter):
    """The same in tensors: the host looks when it wants to."""
    logits = model(x)
    loss = smooth_cross_entropy(logits, target, epsilon=0.1)
    top1, _ = accuracy(logits, target)
    meter.update(loss, x.shape[0])
    return loss, {"top1": top1, "finite": torch.isfinite(loss)}


def clip_and_check(parameters, max_norm: float = 1.0) -> torch.Tensor:
    norm = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    if norm > 100.0:
        warnings.warn(f"gradient norm {norm:.1f}")
    return norm


def ema_update(average, model, decay: float = 0.99):
    with torch.no_grad():
        for a, p in zip(average.parameters(), model.parameters()):
            a.lerp_(p, 1 - decay)


@torch.compile(backend="eager")
def train_step(model, optimizer, x, target):
    """Forward, backward and update in one compiled function."""
    global global_step
    optimizer.zero_grad(set_to_none=True)
    loss = smooth_cross_entropy(model(x), target)
    loss.backward()
    norm = clip_and_check(list(model.parameters()))
    optimizer.step()
    global_step += 1
    if global_step % 2 == 0:
        print("step", global_step, "loss", round(loss.item(), 4), "norm", round(norm.item(), 3))
    return loss.detach()


def report(meters, path=None):
    """Runs between epochs, not compiled: the host reads are where they belong."""
    summary = {name: meter.mean if isinstance(meter, Meter) else meter.compute() for name, meter in meters.items()}
    if path is not None:
        with open(path, "w") as out:
            json.dump(summary, out)
    print(json.dumps({name: round(value, 4) for name, value in summary.items()}))


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Net()
    average = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    host, device = Meter(), TensorMeter()
    compiled_loss = torch.compile(training_loss, backend="eager")
    compiled_on_device = torch.compile(training_loss_on_device, backend="eager")
    compiled_ema = torch.compile(ema_update, backend="eager")
    recall = torch.compile(per_class_recall, backend="eager")
    for step in range(4):
        x, target = torch.randn(32, 16), torch.randint(0, 4, (32,))
        compiled_loss(model, x, target, host).backward()
        loss, metrics = compiled_on_device(model, x, target, device)
        if not metrics["finite"]:
            break
        train_step(model, optimizer, x, target)
        compiled_ema(average, model)
    print({c: round(value.item(), 2) for c, value in recall(model(x), target).items()})
    report({"host": host, "device": device})
