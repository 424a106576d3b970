"""Lines of a report about rules."""

from microagg.report.real_file_lines import cell_lines, rule_lines


def test_rules_that_no_group_violated_are_not_listed() -> None:
    rules = [
        {"sentence": "l-diversity of 'c'", "n_violating": 0, "loss_before": 2.0, "loss_after": 2.0},
        {"sentence": "dominance of 'w'", "n_violating": 1, "loss_before": 2.0, "loss_after": 3.0},
    ]
    expected = {"rule 2": "dominance of 'w': 1 group violated it, loss 2.0000 % before, 3.0000 % after"}
    assert rule_lines({"rules": rules}) == expected


def test_cells_that_were_imputed_or_blanked_are_counted() -> None:
    assert cell_lines({"n_imputed": 0, "n_suppressed": 0}) == {}
    assert cell_lines({"n_imputed": 60, "n_suppressed": 0}) == {
        "imputed": "60 cells without a value before, with that of the group now"
    }
    assert cell_lines({"n_imputed": 0, "n_suppressed": 1}) == {
        "suppressed": "1 cell with a value before, blank now, as a record of the group lacks it"
    }
