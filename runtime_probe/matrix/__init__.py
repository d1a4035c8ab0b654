"""The capture matrix: the same calls under every frontend, compared with the program itself."""
