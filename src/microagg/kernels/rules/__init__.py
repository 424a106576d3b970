"""Rules that groups must satisfy: what is legal, groups merged, grown, split until they are."""
