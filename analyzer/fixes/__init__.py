"""Edits that repair what a rule found: small changes of the text, in the formatting of the file, comments kept.

A maker takes the text and the tree of a file and a node, and returns a `Fix`, or None where no edit is surely right.
"""
