"""What the pytest plugin does when a test uses it."""
