"""Trains the captioner for a few steps: `python examples/project/train.py`."""

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent / "src"))

from captioner.losses import selected_cross_entropy, weight_penalty
from captioner.metrics import caption_lengths, perplexity
from captioner.model import Captioner


def batches(count: int, size: int = 4, length: int = 6):
    for _ in range(count):
        captions = torch.randint(3, 32, (size, length))
        captions[:, 0] = 1
        captions[0, -2:] = 0
        yield torch.rand(size, 3, 16, 16), captions


def main():
    torch.manual_seed(0)
    model = Captioner()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    compiled = torch.compile(model, backend="eager")
    select = torch.compile(selected_cross_entropy, backend="eager")
    for step, (images, captions) in enumerate(batches(6)):
        loss = compiled(images, captions) + weight_penalty(model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            print(f"step {step}: perplexity {perplexity(loss):.2f}, accuracy {model.statistics.accuracy:.3f}")
    logits = model.decoder(model.encoder(images), captions[:, :-1])
    print(f"selected loss {select(logits, captions[:, 1:], captions[:, 1:] != 0).item():.3f}")
    print("caption lengths", caption_lengths(model.caption(images)))


if __name__ == "__main__":
    main()
