"""`capture-lsp simulate`: one program captured with one combination of inputs and called with others, in a browser.

Everything that is shown is a real run of the probe's part `simulate`; here is who asks for them, and how they get to a
page: a server for this machine alone, or one file.
"""
