import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    i = 0
    while i < n:
        tl.store(x_ptr + i, 1.0)
        i += 1
