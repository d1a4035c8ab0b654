import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    k = sum([n, n])
    tl.store(x_ptr, k * 1.0)
