"""Names of the columns that the adapter adds to records while they travel, and how Spark reads any name."""

ROW = "__microagg_row"
"""Number of the record: the same in every job."""

PART = "__microagg_part"
"""Number of the part that the record belongs to: hard walls."""

LEAF = "__microagg_leaf"
"""Leaf of the split tree that the record, or its group, was routed to: soft walls."""

ORIGIN = "__microagg_origin"
"""What a record shares with others that come before or after it together: a range of rows, or the block before."""

BEFORE = "__microagg_before"
"""Number of records of the same leaf and origin that come before the record, or before its group."""

BLOCK = "__microagg_block"
"""Number of the block within its part."""

KEY = "__microagg_key"
"""Key whose hash sends the record to its partition."""

GROUP = "__microagg_group"
"""Group of the record: the number of its first record."""

FACTS = "__microagg_facts"
"""What is known of a block, pickled, in one record after those of the block."""

OWN_PREFIX = "__microagg_"
"""With which no column of the user's may begin."""


def quoted(name: str) -> str:
    """Return the name of a column as Spark takes it literally, whatever characters it has.

    Parameters
    ----------
    name
        The name.
    """
    return f"`{name.replace('`', '``')}`"
