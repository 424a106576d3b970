"""Area on which a file is dropped or chosen, with the progress of its upload."""

from microagg.app.pages.page_elements import button, hidden_text, void
from microagg.report.document_parts.html_elements import Markup, element, joined, paragraph


def file_drop(key: str, address: str, *below: str, role: str = "", kind: str = "", question: str = "") -> Markup:
    """Return an area on which a file is dropped or chosen; file_upload.js uploads it.

    Parameters
    ----------
    key
        Id of the field that holds the file.
    address
        Where the file is posted to; the page goes on where the answer says.
    *below
        What stands below the button.
    role
        What the file is taken for, such as "released file", where a page has several areas.
    kind
        Kind of the button, as in `button`.
    question
        What the user must agree to before a file is uploaded; nothing if nothing is asked.

    Returns
    -------
    Markup
        The area, and the progress that takes its place during an upload.
    """
    hidden = hidden_text(f" as the {role}") if role else Markup()
    label = f"Upload of the {role}" if role else "Upload"
    chooser = void("input", type="file", id=key, class_="visually-hidden", tabindex="-1", aria_label=label)
    area = element(
        "div",
        paragraph("Drop a file here, or"),
        button(joined(["Choose a file", hidden]), kind, data_choose=key),
        chooser,
        *below,
        class_="drop",
    )
    bar = element("progress", max="1", value="0", aria_label=f"{label}: share done")
    cancel = button("Cancel", "small", data_cancel=key)
    progress = element("div", element("p", role="status"), bar, cancel, class_="upload-progress", hidden="hidden")
    return element("div", area, progress, class_="upload", data_upload=address, data_question=question)
