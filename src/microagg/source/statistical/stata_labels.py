"""Value labels and characteristics of a Stata file, without those of columns and codes that go."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from microagg.source.statistical.stata_file import Characteristic, LabelSet, StataColumn, StataFile, text_of
from microagg.source.statistical.stata_numbers import FIRST_MISSING_LABEL
from microagg.source.statistical.stata_rendering import padded

_WHOLE_FILE = b"_dta"
_SET_IN_A_LANGUAGE = b"_lang_l_"  # beginning of the name of a characteristic that names a set of labels
_LONGEST_STEM = 27  # bytes of a name that leave room for a number


class EditedLabels:
    """Sets of value labels of a file that is edited.

    Parameters
    ----------
    file
        The file.
    """

    def __init__(self, file: StataFile) -> None:
        self._file = file
        self._new: list[LabelSet] = []

    def of_missing_only(self, column: StataColumn) -> StataColumn:
        """Return a column whose values are no codes any more: it keeps the labels of missing values."""
        name = text_of(column.label_set)
        before = next((one for one in self._file.label_sets if text_of(one.name) == name), None)
        labels = () if before is None else tuple(one for one in before.labels if one[0] >= FIRST_MISSING_LABEL)
        if before is not None and len(labels) == len(before.labels):
            return column
        size = self._file.sizes.name
        if not labels:
            return replace(column, label_set=bytes(size))
        new = LabelSet(padded(self._free_name(name), size), labels, None)
        self._new.append(new)
        return replace(column, label_set=new.name)

    def sets(self, columns: Iterable[StataColumn], kept: Iterable[Characteristic]) -> tuple[LabelSet, ...]:
        """Return the sets to write: those that are in use, or never were; labels of what goes would tell of it.

        Parameters
        ----------
        columns
            The columns that stay.
        kept
            The characteristics that stay: some name a set, too.
        """
        had = self._named(self._file.columns, self._file.characteristics)
        have = self._named(columns, kept)
        old = [one for one in self._file.label_sets if text_of(one.name) in have or text_of(one.name) not in had]
        return (*old, *self._new)

    def _named(self, columns: Iterable[StataColumn], characteristics: Iterable[Characteristic]) -> set[bytes]:
        by_columns = {text_of(column.label_set) for column in columns}
        return by_columns | {one.text(self._file.sizes) for one in characteristics}

    def _free_name(self, name: bytes) -> bytes:
        """Return a name that no set has."""
        known = {text_of(one.name) for one in (*self._file.label_sets, *self._new)}
        number = 1
        while (free := name[:_LONGEST_STEM] + b"_%d" % number) in known:
            number += 1
        return free


def kept_characteristics(
    file: StataFile, kept: Sequence[StataColumn], unlabelled: Sequence[StataColumn]
) -> tuple[Characteristic, ...]:
    """Return the characteristics of the file and of the columns that stay.

    Parameters
    ----------
    file
        The file.
    kept
        The columns that stay.
    unlabelled
        Those of them whose values are no codes any more: sets of labels in other languages go, too.
    """
    owners = {_WHOLE_FILE, *(text_of(column.name) for column in kept)}
    without_sets = {text_of(column.name) for column in unlabelled}
    found = []
    for one in file.characteristics:
        owner = one.owner(file.sizes)
        names_set = one.name(file.sizes).startswith(_SET_IN_A_LANGUAGE)
        if owner in owners and not (owner in without_sets and names_set):
            found.append(one)
    return tuple(found)
