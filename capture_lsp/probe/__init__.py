"""The client's side of the probe: starts it in the user's interpreter, asks, reads the answers. Imports no torch."""
