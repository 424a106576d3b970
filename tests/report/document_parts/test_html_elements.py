"""Elements escape every text once, and nothing is made of nothing."""

from xml.etree import ElementTree

from microagg.report.document_parts.html_elements import (
    Markup,
    element,
    joined,
    named_rows,
    paragraph,
    preformatted,
    section,
    table,
)

HOSTILE = "<b>\"&'\n\x00"


def test_texts_are_escaped_once() -> None:
    inner = element("em", HOSTILE)
    assert inner == "<em>&lt;b&gt;&quot;&amp;&#x27;↵\ufffd</em>"
    assert element("p", inner, " & more") == f"<p>{inner} &amp; more</p>"
    assert joined([inner, "<"]) == f"{inner}&lt;"


def test_attributes_are_escaped_and_named() -> None:
    assert element("th", "", class_="n", aria_label='a "b"') == '<th class="n" aria-label="a &quot;b&quot;"></th>'
    assert element("td", "x", class_="") == "<td>x</td>"


def test_nothing_is_made_of_nothing() -> None:
    assert paragraph("") == ""
    assert section("key", "Heading", "", Markup()) == ""
    assert table("caption", ["a"], []) == ""
    assert named_rows("caption", []) == ""


def test_table_has_caption_head_and_row_headers() -> None:
    root = ElementTree.fromstring(table(HOSTILE, ["name", "number"], [["a", "1"], ["b", "2"]], numbers=(1,)))
    assert [one.tag for one in root] == ["caption", "thead", "tbody"]
    assert [cell.get("scope") for cell in root.iter("th")] == ["col", "col", "row", "row"]
    assert [cell.get("class") for cell in root.iter("td")] == ["n", "n"]
    assert [cell.get("class") for cell in root[2].iter("th")] == ["w", "w"], "names may be broken anywhere"


def test_preformatted_lines_stay() -> None:
    assert preformatted("a = 1\n\n<b>") == "<pre>a = 1\n\n&lt;b&gt;</pre>"
