import triton
import triton.language as tl

STATE = 0


@triton.jit
def kernel(x_ptr):
    global STATE
    STATE = 1
    tl.store(x_ptr, 1.0)
