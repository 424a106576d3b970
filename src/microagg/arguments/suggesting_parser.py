"""Parser that suggests what was probably meant."""

import argparse
import re
from typing import Any, NoReturn

from microagg.model.names import nearest, shown_on_terminal, suggestion

_NEGATIVE_NUMBERS = re.compile(r"-\.?[0-9]")  # the beginning of a value, not of an option: -99,-98


class SuggestingParser(argparse.ArgumentParser):
    """Parser whose errors are one sentence, with the option or choice that was probably meant.

    Attributes
    ----------
    refusals : dict of str to str
        Why an option of a kindred command is none of this one, and what to do instead, by the option.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self.refusals: dict[str, str] = {}
        self._negative_number_matcher = _NEGATIVE_NUMBERS

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with code 2."""
        self.exit(2, f"error: {shown_on_terminal(message)} (see {self.prog} --help)\n")

    def parse_args(self, args: Any = None, namespace: Any = None) -> argparse.Namespace:  # type: ignore[override]
        """Parse arguments; exit with an error, and a suggestion, if one is unknown."""
        parsed: argparse.Namespace
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command: SuggestingParser = getattr(parsed, "command", self)
            option = unknown[0].partition("=")[0]
            if option in command.refusals:
                command.error(f"{option} is given, but {command.refusals[option]}")
            meant = nearest(option, command._option_string_actions)
            hint = f": did you mean {meant}?" if meant and unknown[0].startswith("-") else ""
            command.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return parsed

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            hint = suggestion(str(value), [str(choice) for choice in action.choices])
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}: {hint}")
