"""Check certificates; shares nothing with the kernels that make them."""
