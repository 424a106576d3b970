"""Locations of tables: files, and tables of databases by their addresses."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import InputError
from microagg.model.location import DatabaseTable, file_of, location


@pytest.mark.parametrize("name", ["a.csv", "-", "folder/a b.parquet", "C:\\data\\a.csv", "duckdb", "sqlite:a.db", ""])
def test_a_path_is_a_path(name: str) -> None:
    assert location(name) == Path(name)
    assert location(Path(name)) == Path(name)
    assert file_of(location(name)) == Path(name)


def test_addresses_name_the_file_and_the_table() -> None:
    assert location("duckdb:///a.db?table=people") == DatabaseTable("DuckDB", Path("a.db"), "people")
    assert location("SQLite:///data/a.db") == DatabaseTable("SQLite", Path("data/a.db"), None)
    assert location("sqlite:////data/a.db") == DatabaseTable("SQLite", Path("/data/a.db"), None)
    assert location("duckdb:///a%3Fb%23.db?table=a%26b%20c") == DatabaseTable("DuckDB", Path("a?b#.db"), "a&b c")
    assert file_of(location("duckdb:///a.db?table=people")) == Path("a.db")


@given(st.sampled_from(["DuckDB", "SQLite"]), st.booleans(), st.none() | st.text(min_size=1))
def test_an_address_is_read_as_it_is_written(kind: str, absolute: bool, table: str | None) -> None:
    if table is not None and not table.isprintable():
        table = "plain"
    one = DatabaseTable(kind, Path("/some dir/ä?#%.db" if absolute else "ä.db"), table)  # type: ignore[arg-type]
    assert location(str(one)) == one
    assert location(one) is one


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("duckdb://host/a.db", "a DuckDB database is a file, without host, user or password"),
        ("sqlite://user:geheim@host/a.db?table=x", "a SQLite database is a file, without host, user or password"),
        ("postgresql://user:geheim@host/base", "found an address of postgresql"),
        ("duckdb:///md:base?motherduck_token=geheim", "found a remote one"),
        ("duckdb:///https://host/a.db", "found a remote one"),
        ("duckdb:///s3://bucket/geheim.db", "found a remote one"),
        ("duckdb:///a.db?password=geheim", "takes the option table only, found 'password'"),
        ("duckdb:///a.db?table=a&table=b", "names more than one table"),
        ("duckdb:///a.db?table=", "names no table after table="),
        ("duckdb:///", "names no file"),
        ("duckdb://", "names no file"),
        ("duckdb:///:memory:", "names no file"),
        ("duckdb:///folder/", "names no file"),
    ],
)
def test_other_addresses_are_refused_without_showing_a_password(address: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        location(address)
    assert reason in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_a_path_made_of_an_address_is_refused() -> None:
    with pytest.raises(InputError, match="given as a text, found a Path"):
        location(Path("duckdb:///a.db?table=people"))
