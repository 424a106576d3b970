"""Data frames of R files, which are read only."""
