import triton
import triton.language as tl

FACTOR = 3.0


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, FACTOR)
