"""Distances, neighbours and equal records."""
