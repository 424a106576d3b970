"""Checks of a release against its plan, finding by finding: nothing is shared with what makes releases."""

from microagg.check.plan_check import check_plan

__all__ = ["check_plan"]
