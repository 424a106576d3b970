"""Change groups locally: exchanges, cycles, decomposition, descent, ruin and recreate."""
