"""Parser of HTML fragments that checks their tags, for tests of what notebooks show."""

from html.parser import HTMLParser


class BalancedHtml(HTMLParser):
    """Texts of a fragment, and the tags that are still open; a tag that closes another one fails.

    Parameters
    ----------
    fragment
        The HTML to parse.
    """

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(fragment)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Open a tag."""
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.texts.append(data)
