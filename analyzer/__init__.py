"""Static analysis of PyTorch capture: imports the standard library and (late) libcst, never torch."""
