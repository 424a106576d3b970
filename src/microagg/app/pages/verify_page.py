"""Page on which the release of any tool is verified: its files, and what is promised of it."""

from collections.abc import Mapping, Sequence

from microagg.app.pages.page_frame import Frame


def verify_page(
    frame: Frame,
    files: Mapping[str, str],
    columns: Sequence[str] | None,
    plan_toml: str = "",
    has_folder: bool = True,
) -> str:
    """Return the page that asks for a release and for what is promised of it.

    Parameters
    ----------
    frame
        What is around the page.
    files
        Names of the files that were given so far, by role: "released", "original".
    columns
        Columns of the released file; None where they are not known.
    plan_toml
        Plan that was read from a file, or of the session.
    has_folder
        Whether paths may be named.
    """
    raise NotImplementedError
