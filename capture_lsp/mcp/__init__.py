"""`capture-lsp mcp`: check, probe and fixes as tools of the Model Context Protocol."""
