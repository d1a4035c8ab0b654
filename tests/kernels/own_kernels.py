"""Triton kernels of a program's own: one right, one that Triton refuses, one that computes something else."""

import torch
import triton
import triton.language as tl

SCALE = 2.0


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def refused_kernel(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * SCALE, mask=i < n)  # refused


@triton.jit
def wrong_kernel(x, y, out, n, BLOCK: tl.constexpr):  # wrong
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) - tl.load(y + i, mask=i < n), mask=i < n)


def add(x, y):
    if not x.is_cuda:
        return x + y
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 64),)](x, y, out, x.numel(), BLOCK=64)
    return out


def scale(x):
    if not x.is_cuda:
        return x * SCALE
    out = torch.empty_like(x)
    refused_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), BLOCK=64)
    return out


def wrong(x, y):
    if not x.is_cuda:
        return x + y
    out = torch.empty_like(x)
    wrong_kernel[(triton.cdiv(x.numel(), 64),)](x, y, out, x.numel(), BLOCK=64)
    return out


def unlaunched(x, y):
    out = torch.empty_like(x)
    add_kernel[lambda meta: (triton.cdiv(x.numel(), meta["SIZE"]),)](x, y, out, x.numel(), BLOCK=64)  # no such name
    return out


def flat(x, y):
    out = torch.empty_like(x)
    add_kernel[4](x, y, out, x.numel(), BLOCK=64)  # no tuple
    return out


def unfinished(x, y):
    return add_kernel[lambda meta: (triton.cdiv(meta["n"], meta["BLOCK"]),)](x, y, x, x.numel(), BLOCK=64).sum()


@torch.library.triton_op("capture_lsp_tests::added", mutates_args={})
def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    torch.library.wrap_triton(add_kernel)[(triton.cdiv(x.numel(), 64),)](x, y, out, x.numel(), BLOCK=64)
    return out


class Shifted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.by = torch.nn.Parameter(torch.ones(64))

    def forward(self, x, y):
        return add(self.by, x)


shifted = Shifted()
