"""A one-stage detector: anchors, a convolutional head, score masks and non-maximum suppression written in torch."""

from __future__ import annotations

import logging
import math

import torch
from torch import Tensor, nn

logger = logging.getLogger(__name__)

BBOX_CLIP = math.log(1000.0 / 16)


class AnchorGenerator(nn.Module):
    """Anchors of every cell of one feature map, as (x1, y1, x2, y2)."""

    def __init__(self, stride: int, sizes: tuple[float, ...] = (16.0, 32.0), ratios: tuple[float, ...] = (0.5, 1.0, 2.0)):
        super().__init__()
        self.stride = stride
        cells = []
        for size in sizes:
            for ratio in ratios:
                w, h = size * math.sqrt(1.0 / ratio), size * math.sqrt(ratio)
                cells.append([-w / 2, -h / 2, w / 2, h / 2])
        self.register_buffer("cell_anchors", torch.tensor(cells), persistent=False)

    @property
    def num_anchors(self) -> int:
        return self.cell_anchors.shape[0]

    def forward(self, features: Tensor) -> Tensor:
        height, width = features.shape[-2:]
        ys = torch.arange(height, device=features.device) * self.stride
        xs = torch.arange(width, device=features.device) * self.stride
        yy, xx = torch.meshgrid(ys, xs, indexing="ij")
        shifts = torch.stack((xx, yy, xx, yy), dim=-1).reshape(-1, 1, 4)
        return (shifts + self.cell_anchors).reshape(-1, 4)


def decode(deltas: Tensor, anchors: Tensor) -> Tensor:
    w, h = anchors[:, 2] - anchors[:, 0], anchors[:, 3] - anchors[:, 1]
    x, y = anchors[:, 0] + 0.5 * w, anchors[:, 1] + 0.5 * h
    dx, dy, dw, dh = deltas.unbind(-1)
    dw, dh = dw.clamp(max=BBOX_CLIP), dh.clamp(max=BBOX_CLIP)
    x, y, w, h = x + dx * w, y + dy * h, w * dw.exp(), h * dh.exp()
    return torch.stack((x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h), dim=-1)


def box_iou(a: Tensor, b: Tensor) -> Tensor:
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    top_left = torch.max(a[:, None, :2], b[None, :, :2])
    bottom_right = torch.min(a[:, None, 2:], b[None, :, 2:])
    inter = (bottom_right - top_left).clamp(min=0).prod(dim=-1)
    return inter / (area_a[:, None] + area_b[None, :] - inter).clamp(min=1e-6)


def nms(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """Greedy suppression, one kept box an iteration."""
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        best = order[0]
        keep.append(best)
        iou = box_iou(boxes[best].unsqueeze(0), boxes[order]).squeeze(0)
        order = order[iou <= threshold]
    return torch.stack(keep) if keep else order


def suppress_fixed(boxes: Tensor, scores: Tensor, threshold: float) -> Tensor:
    """The same idea in fixed shapes: the scores of boxes that a better one covers become zero."""
    order = scores.argsort(descending=True)
    overlap = box_iou(boxes[order], boxes[order]).triu(diagonal=1)
    covered = (overlap > threshold).any(dim=0)
    return torch.zeros_like(scores).scatter(0, order, torch.where(covered, 0.0, scores[order]))


class Backbone(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Conv2d(3, channels, 3, stride=2, padding=1), nn.Conv2d(channels, channels, 3, stride=2, padding=1)]
        )
        self.norms = nn.ModuleList([nn.GroupNorm(4, channels) for _ in range(2)])

    def forward(self, x: Tensor) -> Tensor:
        for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
            x = norm(layer(x))
            if i < len(self.layers) - 1:
                x = x.relu()
        return x


class Detector(nn.Module):
    def __init__(self, num_classes: int = 4, channels: int = 16, score_threshold: float = 0.3, max_detections: int = 20):
        super().__init__()
        self.backbone = Backbone(channels)
        self.anchors = AnchorGenerator(stride=4)
        self.classifier = nn.Conv2d(channels, self.anchors.num_anchors * num_classes, 1)
        self.regressor = nn.Conv2d(channels, self.anchors.num_anchors * 4, 1)
        self.num_classes = num_classes
        self.score_threshold = score_threshold
        self.max_detections = max_detections

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Boxes (N, A, 4), class scores (N, A, C) and anchors (A, 4)."""
        if images.dim() != 4:
            raise ValueError(f"expected images as (N, 3, H, W), got {tuple(images.shape)}")
        if images.shape[-1] % 4 or images.shape[-2] % 4:
            images = nn.functional.pad(images, (0, -images.shape[-1] % 4, 0, -images.shape[-2] % 4))
        features = self.backbone(images)
        n = features.shape[0]
        logits = self.classifier(features).permute(0, 2, 3, 1).reshape(n, -1, self.num_classes)
        deltas = self.regressor(features).permute(0, 2, 3, 1).reshape(n, -1, 4)
        anchors = self.anchors(features)
        boxes = torch.stack([decode(d, anchors) for d in deltas])
        return boxes, logits.sigmoid(), anchors

    def postprocess(self, boxes: Tensor, scores: Tensor) -> dict[str, Tensor]:
        """Detections of one image."""
        best, labels = scores.max(dim=-1)
        keep = best > self.score_threshold
        boxes, best, labels = boxes[keep], best[keep], labels[keep]
        if boxes.shape[0] == 0:
            return {"boxes": boxes, "scores": best, "labels": labels}
        kept = nms(boxes, best, 0.5)[: self.max_detections]
        return {"boxes": boxes[kept], "scores": best[kept], "labels": labels[kept]}


class AnchorMatcher(nn.Module):
    """Assigns ground-truth boxes to anchors, and the loss of the assignment."""

    def __init__(self, high: float = 0.5, low: float = 0.3, allow_low_quality: bool = True):
        super().__init__()
        self.high, self.low = high, low
        self.allow_low_quality = allow_low_quality

    def forward(self, boxes: Tensor, anchors: Tensor, truth: Tensor) -> Tensor:
        assert truth.ndim == 2 and truth.shape[1] == 4, f"boxes should be (M, 4), not {truth.shape}"
        iou = box_iou(truth, anchors)
        quality, matches = iou.max(dim=0)
        matches = matches.masked_fill(quality < self.low, -1)
        matches[(quality >= self.low) & (quality < self.high)] = -2
        if self.allow_low_quality:
            best = iou.max(dim=1).values
            pairs = torch.nonzero(iou == best[:, None])
            matches[pairs[:, 1]] = pairs[:, 0]
        foreground = torch.where(matches >= 0)[0]
        if foreground.numel() == 0:
            logger.warning("no anchor matches any box")
            return boxes.sum() * 0.0
        degenerate = truth[:, 2:] <= truth[:, :2]
        if degenerate.any():
            raise ValueError(f"{int(degenerate.sum())} boxes have no area")
        target = truth[matches[foreground]]
        return nn.functional.smooth_l1_loss(boxes[foreground], target) / max(1, foreground.numel())


if __name__ == "__main__":
    torch.manual_seed(0)
    detector = Detector().eval()
    forward = torch.compile(detector, backend="eager")
    postprocess = torch.compile(detector.postprocess, backend="eager")
    matcher = torch.compile(AnchorMatcher(), backend="eager")
    fixed = torch.compile(suppress_fixed, backend="eager")
    images = torch.rand(2, 3, 32, 32)
    boxes, scores, anchors = forward(images)
    detections = postprocess(boxes[0], scores[0])
    print({name: tuple(value.shape) for name, value in detections.items()})
    print(fixed(boxes[0], scores[0].max(dim=-1).values, 0.5).count_nonzero().item(), "boxes left")
    truth = torch.tensor([[2.0, 2.0, 20.0, 20.0], [8.0, 8.0, 30.0, 31.0]])
    print(f"matching loss {matcher(boxes[0], anchors, truth).item():.4f}")
