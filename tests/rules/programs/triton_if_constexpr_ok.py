import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, ACT: tl.constexpr = "relu", BLOCK: tl.constexpr = 16):
    offs = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + offs)
    if ACT == "relu":
        v = tl.maximum(v, 0.0)
    tl.store(x_ptr + offs, v)
