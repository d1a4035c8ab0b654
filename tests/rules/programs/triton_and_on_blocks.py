import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, m, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    mask = (offs < n) and (offs > m)
    tl.store(x_ptr + offs, 1.0, mask=mask)
