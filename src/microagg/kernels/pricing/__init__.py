"""Price groups in column generation, and separate cuts."""
