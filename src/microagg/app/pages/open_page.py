"""The page on which a file is opened: by upload, by its path, or an example."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from microagg.app.page_words import size_in_words
from microagg.app.pages.file_drop import file_drop
from microagg.app.pages.page_elements import button, card, hidden_text, void
from microagg.app.pages.page_frame import Frame, page, place_of
from microagg.report.document_parts.html_elements import Markup, element, joined, paragraph
from microagg.report.shown_text import shown_name

if TYPE_CHECKING:
    from microagg.app.data_folder import FolderEntry, FolderListing
    from microagg.app.example_tables import Example

_KINDS = {
    "Text": ".csv .tsv .tab .txt, delimiter and encoding are detected",
    "Parquet and Arrow": ".parquet .pq .arrow .feather .ipc",
    "Stata": ".dta",
    "SPSS": ".sav .zsav .por",
    "SAS": ".sas7bdat .xpt",
    "Excel": ".xlsx .xlsm",
    "R": ".rds .rda .rdata",
    "DuckDB and SQLite": ".duckdb .ddb .sqlite .sqlite3",
}

_GOES_ON = " is not over. It goes on while you work on another file, and you find it again on the page Compare."
_QUESTION = (
    "Run {run} is not over. It goes on, and you find it again on the page Compare. Open another file all the same?"
)


def open_page(
    frame: Frame,
    examples: Sequence["Example"],
    folder: "FolderListing | None",
    limit: int,
    working_run: int | None = None,
) -> str:
    """Return the page on which a file is opened.

    Parameters
    ----------
    frame
        What the page around it shows.
    examples
        Tables to try.
    folder
        The folder to begin with; None where files cannot be opened by their paths.
    limit
        Bytes that an upload may have at most.
    working_run
        Number of a run that is not over: the page asks before another file is opened.

    Returns
    -------
    str
        The page.
    """
    lead = f"Choose the table with the original records. It is read on {place_of(frame)}, and never changed."
    question = "" if working_run is None else _QUESTION.format(run=working_run)
    ways = [_upload(limit, folder, question)]
    if folder is not None:
        ways.append(_paths(folder, place_of(frame), question))
    return page(
        frame,
        "Open a file",
        element("p", lead, class_="lead"),
        _working(working_run),
        element("div", *ways, class_="open-ways"),
        _examples(examples, question),
        _kinds(),
        scripts=("file_upload.js", "open.js"),
    )


def _working(run: int | None) -> Markup:
    """Return a link to a run that is not over."""
    if run is None:
        return Markup()
    link = element("a", f"Run {run}", href=f"/runs/{run}")
    return element("div", element("p", link, _GOES_ON), class_="notice")


def _upload(limit: int, folder: "FolderListing | None", question: str) -> Markup:
    most = f"Up to {size_in_words(limit)}."
    if folder is not None:
        most += " Larger files are opened by their path, without a copy."
    told = element("p", most, class_="muted small")
    return card("Upload", file_drop("file", "/open/upload", told, kind="primary", question=question))


def _paths(folder: "FolderListing", place: str, question: str) -> Markup:
    field = element(
        "div",
        element("label", "Path of the file", for_="path"),
        void("input", type="text", id="path", name="path", autocomplete="off", spellcheck="false"),
        class_="field",
    )
    send = element("button", "Open", type="submit", class_="button")
    form = element("form", field, send, id="path-form", class_="path-form", data_question=question)
    introduction = "The file stays where it is. A path may also begin at the folder shown here."
    return card(
        f"A file on {place}",
        paragraph(introduction),
        form,
        element("div", folder_list(folder), id="folder", class_="folder"),
    )


def folder_list(folder: "FolderListing") -> Markup:
    """Return the contents of a folder, each a button; the page gets those of further folders as they are here."""
    rows: list[Markup] = []
    if folder.parent is not None:
        rows.append(element("li", element("button", "↑ one folder up", type="button", data_folder=folder.parent)))
    rows += [_entry(each) for each in folder.entries]
    empty = "" if folder.entries else element("p", "There is no file here that can be read.", class_="folder-path")
    listed = element("ul", *rows, aria_label="Contents of the folder") if rows else Markup()
    return joined([element("p", shown_name(folder.path), class_="folder-path"), listed, empty])


def _entry(entry: "FolderEntry") -> Markup:
    name = element("span", shown_name(entry.name) + ("/" if entry.is_folder else ""))
    if entry.is_folder:
        return element("li", element("button", name, hidden_text(" (folder)"), type="button", data_folder=entry.path))
    facts = f"{entry.kind}, {size_in_words(entry.n_bytes or 0)}"
    about = element("span", facts, class_="muted")
    return element("li", element("button", name, about, type="button", data_file=entry.path))


def _examples(examples: Iterable["Example"], question: str) -> Markup:
    cards = [
        element(
            "div",
            element("h3", example.title),
            paragraph(example.sentence),
            button(
                "Try it",
                "small",
                data_post="/open/example",
                data_body=_body(example.name),
                data_question=question,
                aria_label=f"Try: {example.title}",
            ),
            class_="example",
        )
        for example in examples
    ]
    return card("Examples to try", element("div", *cards, class_="cards")) if cards else Markup()


def _body(name: str) -> str:
    return json.dumps({"name": name})


def _kinds() -> Markup:
    rows = [joined([element("dt", kind), element("dd", endings)]) for kind, endings in _KINDS.items()]
    return element(
        "details",
        element("summary", "Kinds of files that can be read"),
        element("dl", *rows, class_="kinds"),
        class_="card",
    )
