"""Kernels that check certificates; they share nothing with those that make them."""
