import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr):
    a = tl.load(x_ptr + tl.arange(0, 16))
    b = tl.load(x_ptr + tl.arange(0, 32))
    tl.store(x_ptr + tl.arange(0, 16), a + b)
