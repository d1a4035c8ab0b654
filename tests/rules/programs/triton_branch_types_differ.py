import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    v = 0
    if n > 2:
        v = 1.5
    tl.store(x_ptr, v)
