"""Do the heavy work: arrays in, arrays out. Only here is numba imported, and only when a kernel is."""
