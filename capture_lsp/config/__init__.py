"""Settings: where they come from, what they may be, and how they combine."""
