"""Order records along paths and tours, and cut an order into groups."""
