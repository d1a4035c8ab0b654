"""What capture buys, and what each break takes away: measured, with intervals."""
