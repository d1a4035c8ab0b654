import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, K: tl.constexpr):
    acc = 0.0
    for i in tl.static_range(K):
        acc += tl.load(x_ptr + i)
    tl.store(x_ptr, acc)
