"""Columns of Python objects are codes, also of objects that cannot be hashed."""

import pytest

from microagg import Column, InputError


def test_objects_that_cannot_be_hashed_are_compared_by_content() -> None:
    column = Column.of_objects("a", [[1, 2], None, [3], [1, 2]])
    assert column.categories == ([1, 2], [3])
    assert column.objects() == [[1, 2], None, [3], [1, 2]]


def test_numbers_of_text_are_refused() -> None:
    with pytest.raises(InputError, match="of kind text"):
        Column.of_objects("a", ["x"]).numbers()
