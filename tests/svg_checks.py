"""Checks that every picture must pass: well-formed XML with a name, nothing that runs and nothing that is fetched."""

import re
from xml.etree import ElementTree


def parsed_picture(svg: str) -> ElementTree.Element:
    """Return the root of a picture, after checking what holds for every picture."""
    root = ElementTree.fromstring(svg)
    assert root.tag == "svg"
    assert root.get("role") == "img"
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == ("title", "desc")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    tags = {element.tag for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "path", "text", "circle"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or "href" in name or name == "style"]
    _check_coordinates(root)
    return root


def _check_coordinates(root: ElementTree.Element) -> None:
    """Check that coordinates are short, and that nothing is outside the picture by more than the width of a line."""
    width, height = map(float, str(root.get("viewBox")).split()[2:])
    for element in root.iter():
        for name in ("d", "x", "y", "cx", "cy"):
            written = re.findall(r"-?\d+(?:\.\d+)?", element.get(name, ""))
            assert all(len(number.partition(".")[2]) <= 1 for number in written)
        for name, limit in (("x", width), ("y", height)):
            if element.get(name) is not None:
                assert -1 <= float(str(element.get(name))) <= limit + 1


def texts_of(root: ElementTree.Element) -> list[str]:
    """Return the texts that are drawn."""
    return [element.text or "" for element in root.iter("text")]
