import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    i = 0
    while i < n:
        i += 1
        if i == 3:
            continue
        tl.store(x_ptr + i, 1.0)
