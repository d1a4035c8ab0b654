"""`capture.lock`: what a project's entries captured under a torch release, to be compared with later runs."""
