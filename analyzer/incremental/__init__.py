"""What an editor's session keeps between two texts of a file, and how it finds out whether it still holds."""
