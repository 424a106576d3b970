"""Replace identifiers by new numbers that tell nothing of the old ones."""

import numpy as np

from microagg.model.column import Column
from microagg.model.table import Table


def renumbered(table: Table, name: str) -> Column:
    """Return an identifier replaced by numbers in random order, by fresh randomness of the operating system.

    Records that shared an identifier share the new number; a missing one stays missing.
    """
    distinct, places = np.unique(table.codes(name), return_inverse=True)
    numbers = 1 + np.random.default_rng().permutation(len(distinct))[places]
    return Column(name, "integer", numbers.astype(np.int64), missing=table.column(name).missing)
