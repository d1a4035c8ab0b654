"""A program captured with one combination of inputs and called with others: what can be varied, what then happens."""
