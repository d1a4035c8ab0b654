import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr):
    o = tl.arange(0, 16)
    a = tl.load(x_ptr + o[:, None] * 16 + o[None, :])
    b = tl.load(x_ptr + tl.arange(0, 32)[:, None] * 16 + o[None, :])
    tl.store(x_ptr + o[:, None] * 16 + o[None, :], tl.dot(a, b))
