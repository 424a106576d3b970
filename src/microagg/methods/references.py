"""Literature of the methods: the entries of references.bib, and the full reference behind a short one."""

import re
from functools import cache
from importlib.resources import files

from microagg.version import __version__

BIBLIOGRAPHY = "references.bib"
_OURS = f"The microagg developers. microagg: microaggregation of microdata with proved bounds. Version {__version__}"
_ENTRY = re.compile(r"^@\w+\{(\w+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_PLACE = re.compile(r", (section|algorithm|table)s? .*")

Entry = dict[str, str]


def bibliography() -> str:
    """Return the text of the bibliography."""
    return files(__package__).joinpath(BIBLIOGRAPHY).read_text(encoding="utf-8")


@cache
def entries() -> dict[str, Entry]:
    """Return the fields of every entry of the bibliography, by its key."""
    plain = bibliography().replace("\\&", "&").replace("--", "–")
    return {key: dict(_FIELD.findall(fields)) for key, fields in _ENTRY.findall(plain)}


def full_reference(short: str) -> str:
    """Return the full reference behind a short one, such as "Lin et al. 2010" or "Mortazavi 2020, section 5".

    Raises
    ------
    KeyError
        If there is no such entry.
    """
    cited, place = _PLACE.sub("", short), _PLACE.search(short)
    full = _OURS if cited == "microagg" else reference(_by_short_reference()[cited])
    return full + (f" ({place[0].removeprefix(', ')})" if place else "")


def reference(entry: Entry, emphasis: str = "") -> str:
    """Return the full reference of an entry; `emphasis` stands on both sides of the name of a journal or a book."""
    venue = entry.get("journal", entry.get("booktitle", ""))
    venue = f"{emphasis}{venue}{emphasis}" if venue else ""
    volume = f" {entry['volume']}" if "volume" in entry else ""
    number = f"({entry['number']})" if "number" in entry else ""
    between = ":" if volume else ", "
    pages = f"{between}{entry['pages']}" if "pages" in entry else ""
    source = ", ".join(part for part in (f"{venue}{volume}{number}{pages}", entry.get("year", "")) if part)
    doi = f"doi:{entry['doi']}" if "doi" in entry else ""
    parts = (", ".join(_authors(entry)), entry["title"], source, doi, entry.get("note", ""))
    return ". ".join(part for part in parts if part)


@cache
def _by_short_reference() -> dict[str, Entry]:
    """Return the entries by all short references that lead to them."""
    return {short: entry for entry in entries().values() for short in _short_references(entry)}


def _short_references(entry: Entry) -> list[str]:
    *first, last = [name.partition(", ")[0] for name in _names(entry)] or [""]
    named = [f"{', '.join(first)} & {last}", f"{first[0]} et al."] if first else [last]
    shorthand = [entry["shorthand"]] if "shorthand" in entry else []
    return [*shorthand, *(f"{name} {entry['year']}" for name in named if name and "year" in entry)]


def _authors(entry: Entry) -> list[str]:
    return [" ".join(reversed(name.split(", "))) for name in _names(entry)]


def _names(entry: Entry) -> list[str]:
    return entry["author"].split(" and ") if "author" in entry else []
