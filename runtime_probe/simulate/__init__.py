"""A program captured with one combination of inputs and called with others: what can be varied, and what then happens."""
