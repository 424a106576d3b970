"""Whole pages in parts, to be asked for elements by kind and by id; every page must pass some checks more."""

from page_checks import ParsedPage, sound_page


class CheckedPage(ParsedPage):
    """Elements and texts of a page, which can be asked for."""

    def of(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of all elements of a kind."""
        return [given for name, given in self.elements if name == tag]

    def with_id(self, key: str) -> dict[str, str]:
        """Return the attributes of the element with an id."""
        (found,) = [given for _, given in self.elements if given.get("id") == key]
        return found

    @property
    def words(self) -> str:
        """All texts as they stand in the page."""
        return "".join(self.texts)


def checked_page(page: str) -> CheckedPage:
    """Return the elements of a page that is as every page must be."""
    sound_page(page)
    assert page.startswith("<!DOCTYPE html>")
    found = CheckedPage(page)
    assert len(found.of("h1")) == len(found.of("main")) == 1
    ids = found.attributes("id")
    labelled = [*found.attributes("for"), "theme"]
    for given in found.of("select"):
        assert given.get("aria-label") or given["id"] in labelled, given
    for keys in found.attributes("aria-describedby"):
        assert set(keys.split()) <= set(ids)
    return found
