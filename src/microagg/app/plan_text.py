"""Plan from the text that a page sent: never from a file that the text may name."""

from microagg.model.plan import Plan


def parsed_plan(text: str) -> Plan:
    """Return the plan of a TOML text.

    Parameters
    ----------
    text
        The text of a plan. `Plan.from_toml` would open a text of one line as a file: here it is always a text.

    Raises
    ------
    InputError
        If it is no plan.
    """
    return Plan.from_toml(f"{text}\n")
