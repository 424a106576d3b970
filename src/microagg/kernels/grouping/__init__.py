"""Group records: growth around seeds, candidate groups, trees, balanced assignment."""
