"""Row softmax and a row norm in Triton: one kernel that compiles, two that Triton's front end refuses.

Without a GPU nothing is launched: the PyTorch versions run.
"""

import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # a CPU build: the kernels are read, not run
    triton = tl = None

MAX_FUSED_SIZE = 65536
EPSILON = 1e-6


if triton is not None:

    @triton.jit
    def softmax_kernel(out, x, out_stride, x_stride, n_rows, n_cols, BLOCK: tl.constexpr, NUM_STAGES: tl.constexpr):
        """One program handles every `num_programs`-th row; a row fits in a block."""
        start = tl.program_id(0)
        step = tl.num_programs(0)
        for row in tl.range(start, n_rows, step, num_stages=NUM_STAGES):
            offsets = tl.arange(0, BLOCK)
            mask = offsets < n_cols
            values = tl.load(x + row * x_stride + offsets, mask=mask, other=-float("inf"))
            if BLOCK > 1024:
                tl.static_assert(BLOCK <= 65536, "the row does not fit in a block")
            numerator = tl.exp(values - tl.max(values, axis=0))
            tl.store(out + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)

    @triton.jit
    def rms_norm_kernel(out, x, weight, stride, n_cols, BLOCK: tl.constexpr):
        """EPSILON is an ordinary global: a kernel may only read a constexpr."""
        row = tl.program_id(0)
        offsets = tl.arange(0, BLOCK)
        mask = offsets < n_cols
        values = tl.load(x + row * stride + offsets, mask=mask, other=0.0).to(tl.float32)
        rms = tl.sqrt(tl.sum(values * values, axis=0) / n_cols + EPSILON)
        gain = tl.load(weight + offsets, mask=mask)
        tl.store(out + row * stride + offsets, values / rms * gain, mask=mask)

    @triton.jit
    def masked_softmax_kernel(out, x, lengths, stride, n_cols, BLOCK: tl.constexpr):
        """A branch on a scalar is fine, and so is a chained comparison of blocks; a branch on a block is not."""
        row = tl.program_id(0)
        length = tl.load(lengths + row)
        offsets = tl.arange(0, BLOCK)
        inside = 0 <= offsets < length
        if length > n_cols:
            length = n_cols
        values = tl.load(x + row * stride + offsets, mask=inside, other=-float("inf"))
        if values > 0:
            values = values - tl.max(values, axis=0)
        numerator = tl.where(inside, tl.exp(values), 0.0)
        tl.store(out + row * stride + offsets, numerator / tl.sum(numerator, axis=0), mask=offsets < n_cols)


def softmax(x: torch.Tensor) -> torch.Tensor:
    if triton is None or not x.is_cuda or x.shape[1] > MAX_FUSED_SIZE:
        return x.softmax(dim=-1)
    out = torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    grid = (min(x.shape[0], 128),)
    softmax_kernel[grid](out, x, out.stride(0), x.stride(0), x.shape[0], x.shape[1], BLOCK=block, NUM_STAGES=2)
    return out


def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    if triton is None or not x.is_cuda:
        return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + EPSILON) * weight
    out = torch.empty_like(x)
    rms_norm_kernel[(x.shape[0],)](out, x, weight, x.stride(0), x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out


def masked_softmax(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    if triton is None or not x.is_cuda:
        keep = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        return x.masked_fill(~keep, -float("inf")).softmax(dim=-1)
    out = torch.empty_like(x)
    block = triton.next_power_of_2(x.shape[1])
    masked_softmax_kernel[(x.shape[0],)](out, x, lengths, x.stride(0), x.shape[1], BLOCK=block)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    x, weight, lengths = torch.randn(8, 100), torch.ones(100), torch.randint(1, 100, (8,))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x, weight, lengths = x.to(device), weight.to(device), lengths.to(device)
    print("softmax:", (softmax(x) - x.softmax(dim=-1)).abs().max().item())
    for kernel in (lambda: rms_norm(x, weight), lambda: masked_softmax(x, lengths)):
        try:
            print(tuple(kernel().shape))
        except Exception as error:  # Triton names the line that it refuses
            print(str(error).splitlines()[0])
