"""Pricing of groups in column generation, and separation of cuts."""
