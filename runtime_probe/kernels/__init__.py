"""Kernels that Inductor makes of the captured graphs, for this machine's processor or for a GPU that is not here."""
