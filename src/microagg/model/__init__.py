"""The nouns: frozen values that are checked once, and hold neither algorithms nor reports."""
