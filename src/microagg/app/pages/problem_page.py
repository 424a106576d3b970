"""Page that says in a sentence what went wrong, and where to go on."""

from microagg.app.pages.page_elements import link_button
from microagg.app.pages.page_frame import Frame, page
from microagg.report.document_parts.html_elements import element, paragraph


def problem_page(frame: Frame, title: str, sentence: str, address: str = "/", way: str = "Go back to the work") -> str:
    """Return a page with a sentence.

    Parameters
    ----------
    frame
        What is around the page.
    title
        Heading.
    sentence
        What was expected, what was found, and what to do.
    address, way
        Where to go on, and what the link there says; it is left out where there is no session.
    """
    onward = link_button(way, address) if frame.csrf and address else ""
    return page(frame, title, element("div", paragraph(sentence), onward, class_="card"))
