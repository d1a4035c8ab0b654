"""Findings known from before: what identifies one when its lines move, the file that holds them, and the matching."""
