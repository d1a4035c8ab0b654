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
