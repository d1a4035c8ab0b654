import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n):
    pid = tl.program_id(0)
    print("pid", pid)
    tl.store(x_ptr + pid, 1.0)
