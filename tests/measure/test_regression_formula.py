"""Formulas of regressions."""

import pytest

from microagg import InputError
from microagg.measure.regression_formula import parse_formula


@pytest.mark.parametrize(
    ("text", "response", "terms"),
    [
        ("income ~ age + sex", "income", ("age", "sex")),
        ("income~age", "income", ("age",)),
        ("  `net income` ~ `a + b` + c.d ", "net income", ("a + b", "c.d")),
        ("1 ~ 0 + 2", "1", ("0", "2")),
        ("y ~ age-group", "y", ("age-group",)),
    ],
)
def test_formulas(text: str, response: str, terms: tuple[str, ...]) -> None:
    assert parse_formula(text) == (text, response, terms)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("income", "the regression 'income' cannot be read: expected a response and terms, as in 'income ~ age"),
        ("", "the regression '' cannot be read"),
        ("~ age", "the regression '~ age' cannot be read"),
        ("income ~", "the regression 'income ~' cannot be read"),
        ("income ~ age +", r"the regression 'income ~ age \+' cannot be read"),
        ("income ~ age ~ sex", "the regression 'income ~ age ~ sex' cannot be read"),
        ("income + age", r"the regression 'income \+ age' cannot be read"),
        ("net income ~ age", "the regression 'net income ~ age' cannot be read: .*names with blanks in backticks"),
        ("`income ~ age", "the regression '`income ~ age' has a backtick without its pair"),
        ("y ~ x + x", r"the regression 'y ~ x \+ x' names column 'x' 2 times: name it once"),
        ("y ~ y", "the regression 'y ~ y' names column 'y' 2 times"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_formula(text)


def test_formula_is_a_text() -> None:
    with pytest.raises(InputError, match="a regression is a text, found 3"):
        parse_formula(3)  # type: ignore[arg-type]
