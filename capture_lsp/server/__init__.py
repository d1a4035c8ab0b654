"""The language server. Nothing outside this package knows LSP types; nothing in it decides what is a finding."""
