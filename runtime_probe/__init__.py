"""Runs in the user's interpreter, beside the user's torch: imports torch and the standard library, nothing else of
ours."""
