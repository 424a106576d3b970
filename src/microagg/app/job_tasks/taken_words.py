"""Command line and script that repeat a run of the page elsewhere."""

import shlex

PLAN = "release.toml"
"""Name of the file that the plan is in."""


def command_words(name: str, output: str, *, quoted: bool = False) -> list[str]:
    """Return the command that makes the same release.

    Parameters
    ----------
    name
        Name of the original's file.
    output
        Name of the release's file.
    quoted
        Whether each word is quoted for a shell.
    """
    original = f"./{name}" if name.startswith("-") else name
    words = ["microagg", "protect", original, "--plan", PLAN, "-o", output, "--report", "report.html"]
    return [shlex.quote(word) for word in words] if quoted else words


def script_text(name: str, output: str) -> str:
    """Return the script in Python that makes the same release.

    Parameters
    ----------
    name
        Name of the original's file.
    output
        Name of the release's file.
    """
    return (
        '"""Make the release again, by its plan."""\n\n'
        "import microagg\n\n"
        f"plan = microagg.Plan.from_toml({PLAN!r})\n"
        f"release = microagg.protect_file({name!a}, {output!r}, plan=plan)\n"
        "print(release)\n"
    )
