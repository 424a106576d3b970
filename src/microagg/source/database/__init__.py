"""Tables of DuckDB and SQLite: read by connections that cannot write, written in one transaction."""
