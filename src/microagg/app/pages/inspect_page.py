"""The page that shows what the columns of a file look like."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from microagg.app.page_words import size_in_words, whole_number
from microagg.app.pages.column_pictures import small_histogram
from microagg.app.pages.page_elements import card, hidden_text, link_button, void
from microagg.app.pages.page_frame import Frame, page
from microagg.report.document_parts.html_elements import Markup, element, joined, notice, table
from microagg.report.facts import Facts
from microagg.report.inspection_sections import column_warnings, identifier_warnings
from microagg.report.shown_text import as_sentence, number_text, shortened, shown_name

if TYPE_CHECKING:
    from microagg.app.web_sessions import OpenedFile

PROPOSED = {
    "identifier": "identifier: leave out",
    "unit": "unit",
    "weight": "weight",
    "quasi-identifier": "protect",
    "amount": "protect",
    "dropped": "leave out",
    "unchanged": "as it came",
}
"""What a column is proposed as, in words."""

_NOTABLE = frozenset({"identifier", "free text", "sentinel", "infinite", "mixed"})
_FEW_ROWS = 20  # a table of no more is shown as a whole
_VALUES_WIDTH = 44.0  # letters of the frequent values of a column
_OWNER = "This page shows values of the original data: it is for their owner."


def inspect_page(frame: Frame, file: "OpenedFile", result: Facts) -> str:
    """Return the page that shows what the columns of a file look like.

    Parameters
    ----------
    frame
        What the page around it shows.
    file
        The open file.
    result
        What the inspection found: "inspection", and "histograms" by column.

    Returns
    -------
    str
        The page.
    """
    inspection = result["inspection"]
    columns = inspection["columns"]
    go_on = element("div", link_button("Go on to the settings", "/settings", "primary"), class_="actions")
    return page(
        frame,
        "What is in the file",
        element("p", _OWNER, class_="muted"),
        _numbers(file, inspection),
        _doubts(inspection),
        _singling_out(inspection),
        _warnings(columns),
        _columns(columns, result["histograms"]),
        go_on,
    )


def _numbers(file: "OpenedFile", inspection: Facts) -> Markup:
    shown = {
        "Records": whole_number(inspection["n_records"]),
        "Columns": whole_number(len(inspection["columns"])),
        "Size": size_in_words(file.n_bytes),
        **{what.capitalize(): how for what, how in inspection["read_as"].items()},
    }
    return element(
        "dl",
        *(element("div", element("dt", name), element("dd", value)) for name, value in shown.items()),
        class_="facts",
    )


def _doubts(inspection: Facts) -> Markup:
    parts = []
    if inspection["header_doubt"]:
        advice = "If it does, write header = true into the plan on the next page; if it is a record, header = false."
        parts.append(
            notice(
                "warning",
                "Does the first line name the columns?",
                f"{as_sentence(inspection['header_doubt'])} {advice}",
            )
        )
    if inspection["n_inspected"] is not None:
        number = whole_number(inspection["n_inspected"])
        about = "Everything here but the numbers of missing values is about these."
        parts.append(notice("", f"A sample of {number} records was looked at", about))
    return joined(parts)


def _singling_out(inspection: Facts) -> Markup:
    """Return how many records the likely quasi-identifiers single out together."""
    combinations = inspection["singling_out"]
    if not combinations:
        return Markup()
    n_records = inspection["n_inspected"] or inspection["n_records"]
    whole = combinations[-1]
    names = element("strong", ", ".join(map(shown_name, whole["columns"])))
    share = _percent(whole["n_unique"] / n_records)
    alone = element("strong", f"{whole_number(whole['n_unique'])} records ({share})")
    if whole["n_unique"]:
        sentence = element(
            "p",
            alone,
            " are the only ones with their combination of values in ",
            names,
            ": whoever knows these finds them.",
        )
    else:
        sentence = element("p", "No record is the only one with its combination of values in ", names, ".")
    rows = [
        [
            " × ".join(map(shown_name, one["columns"])),
            *(
                f"{whole_number(one[key])} ({_percent(one[key] / n_records)})"
                for key in ("n_unique", "n_below_3", "n_below_5")
            ),
        ]
        for one in combinations
    ]
    head = ["Columns together", "Unique", "Fewer than 3 alike", "Fewer than 5 alike"]
    shown = table("Records that share their values with few others", head, rows, numbers=(1, 2, 3))
    return card("Who can be singled out", sentence, shown)


def _warnings(columns: Sequence[Facts]) -> Markup:
    sentences = [as_sentence(warning) for warning in (*identifier_warnings(columns), *column_warnings(columns))]
    if not sentences:
        return Markup()
    return card("What to know first", element("ul", *(element("li", sentence) for sentence in sentences)))


def _columns(columns: Sequence[Facts], histograms: Facts) -> Markup:
    titles = ("Column", "Kind", "Missing", "Distinct", "Values", "What it looks like")
    head = element("tr", *(element("th", title, scope="col", class_=_class(title)) for title in titles))
    rows = joined(_row(column, histograms.get(column["name"])) for column in columns)
    body = element(
        "table",
        element("caption", "All columns", class_="visually-hidden"),
        element("thead", head),
        element("tbody", rows),
        id="columns",
        class_="inspection",
    )
    scroll = scrolled(body, "All columns", len(columns))
    return joined([element("div", element("h2", "Columns"), filter_field("columns"), class_="table-tools"), scroll])


def scrolled(table: Markup, label: str, n_rows: int, kind: str = "") -> Markup:
    """Return a table in a box of its own, in which a long one is scrolled."""
    length = "short" if n_rows <= _FEW_ROWS else ""
    classes = " ".join(["table-scroll", *(each for each in (kind, length) if each)])
    return element("div", table, class_=classes, tabindex="0", role="region", aria_label=label)


def filter_field(table_id: str) -> Markup:
    """Return a field that filters the rows of a table by the names of their columns."""
    field = void(
        "input",
        type="search",
        id=f"{table_id}-filter",
        data_filter=table_id,
        autocomplete="off",
        placeholder="Filter by name",
    )
    label = element("label", "Filter columns by name", for_=f"{table_id}-filter", class_="visually-hidden")
    told = element("span", id=f"{table_id}-shown", role="status", class_="hint")
    return element("div", label, field, told, class_="field")


def _class(title: str) -> str:
    return "number" if title in ("Missing", "Distinct") else ""


def _row(column: Facts, histogram: Facts | None) -> Markup:
    label = element("span", column["label"], class_="column-label") if column["label"] else ""
    missing = _percent(column["missing_share"]) if column["n_missing"] else "–"
    count = element("span", f" ({whole_number(column['n_missing'])})", class_="muted") if column["n_missing"] else ""
    return element(
        "tr",
        element("th", shown_name(column["name"]), label, scope="row"),
        element("td", column["kind"]),
        element("td", missing, count, class_="number"),
        element("td", whole_number(column["n_distinct"]), class_="number"),
        element("td", _values(column, histogram), class_="distribution"),
        element("td", *_noticed(column), class_="noticed"),
        data_name=column["name"],
    )


def _values(column: Facts, histogram: Facts | None) -> Markup:
    """Return the histogram of numbers and dates with their range, or the frequent values of others."""
    if column["nominal"] and column["frequent"]:
        more = ", …" if column["n_distinct"] > len(column["frequent"]) else ""
        shown = ", ".join(map(shown_name, column["frequent"]))
        return element("p", shortened(f"{shown}{more}", _VALUES_WIDTH), class_="values")
    if column["low"] is None:
        return element("span", "–", class_="muted")
    ends = [element("span", _value(column[key])) for key in ("low", "high")]
    reach = element("div", ends[0], hidden_text(" to "), ends[1], class_="range")
    return joined(["" if histogram is None else small_histogram(histogram["counts"]), reach])


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else number_text(value)


def _noticed(column: Facts) -> Iterator[Markup]:
    """Yield what a column is proposed as, and why."""
    doubtful = column["question"] and column["role"] not in ("quasi-identifier", "amount")  # which are the safe answer
    notable = any(look["aspect"] in _NOTABLE for look in column["looks"]) or doubtful
    yield element("span", _proposed(column), class_="badge warning" if notable else "badge")
    sentences = [as_sentence(reason) for reason in reasons(column)]
    if sentences:
        yield element("ul", *(element("li", sentence) for sentence in sentences))


def _proposed(column: Facts) -> str:
    words = PROPOSED[column["role"]]
    if column["role"] not in ("quasi-identifier", "amount"):
        return words
    if column["kind"] in ("date", "datetime"):
        return f"{words}, as dates"
    return f"{words}, as categories" if column["nominal"] else f"{words}, as numbers"


def reasons(column: Facts) -> Iterator[str]:
    """Yield why a column is proposed as what it is, then what only its owner knows."""
    yield from (look["reason"] for look in column["looks"])
    if column["sentinels"] and not any(look["aspect"] == "sentinel" for look in column["looks"]):
        yield f"may have marks of missing values: {', '.join(map(_value, column['sentinels']))}"
    if column["question"]:
        yield column["question"]


def _percent(share: float) -> str:
    return "< 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"
