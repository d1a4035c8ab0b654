"""Kernels for a GPU: generated without one for a target of the table, or measured where there is one."""
