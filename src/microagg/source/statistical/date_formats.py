"""Formats of dates in statistical files: which numbers are dates, and from when and in which unit they count."""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import FloatArray
from microagg.model.source_protocol import FileKind

_STATA_ORIGIN = "1960-01-01"
_SAS_ORIGIN = "1960-01-01"
_SPSS_ORIGIN = "1582-10-14"
_MICROSECONDS_A_DAY = 24 * 60 * 60 * 10**6
_EARLIEST = np.datetime64("0001-01-01", "us")
_LATEST = np.datetime64("9999-12-31T23:59:59.999999", "us")

# https://www.stata.com/manuals/ddatetime.pdf: weeks, months, quarters, halves and years stay numbers
_STATA_DAY = re.compile(r"%-?t?d.*")
_STATA_INSTANT = re.compile(r"%-?t[cC].*")
_STATA_CLOCK = re.compile(r"%-?t[cC](?!.*(?:[Cc]{2}|[Yy]{2}|[Jj]{3}|[Nn]{2}|[Dd]{2}|[Ww]{2}|[Mm]on|[Dd]a|q)).+")
_SPSS_DAY = re.compile(r"(?:DATE|ADATE|EDATE|SDATE|JDATE|QYR|MOYR|WKYR)\d.*")
_SPSS_INSTANT = re.compile(r"(?:DATETIME|YMDHMS)\d.*")
_SAS_DAY = re.compile(
    r"(?:DATE|DDMMYY[BCDNPS]?|MMDDYY[BCDNPS]?|YYMMDD[BCDNPS]?|JULIAN|WORDDAT[EX]|WEEKDAT[EX]|MONYY|YYMON|"
    r"[BE]8601DA|IS8601DA|NLDATE\w*|EURDF(?:DD|DE|WDX|WKX|MY))\d*\.?\d*"
)
_SAS_INSTANT = re.compile(r"(?:DATETIME|DATEAMPM|MDYAMPM|[BE]8601D[TZX]|IS8601D[TZ]|NLDATM\w*|EURDFDT)\d*\.?\d*")


class DateUnit(NamedTuple):
    """Unit in which numbers count time.

    Parameters
    ----------
    origin
        Where they begin.
    microseconds
        Length of the unit.
    days
        Whether the format shows days only.
    """

    origin: str
    microseconds: int
    days: bool

    def instants(self, numbers: FloatArray) -> npt.NDArray[np.datetime64] | None:
        """Return numbers as dates, of days if all are whole days, else of microseconds; None if they are none.

        Parameters
        ----------
        numbers
            Of shape (n,); NaN where one is missing, which becomes NaT.
        """
        offset = np.datetime64(self.origin, "us").astype(np.int64)
        limits = [(limit.astype(np.int64) - offset) / self.microseconds for limit in (_EARLIEST, _LATEST)]
        missing = np.isnan(numbers)
        present = numbers[~missing]
        if not ((present >= limits[0]) & (present <= limits[1])).all():
            return None
        microseconds = np.zeros(len(numbers), dtype=np.int64)
        microseconds[~missing] = _scaled(present, self.microseconds) + offset
        instants = microseconds.astype("datetime64[us]")
        if not np.array_equal(self.numbers(instants)[~missing], present):
            return None  # finer than microseconds
        instants[missing] = np.datetime64("NaT")
        whole_days = not (microseconds[~missing] % _MICROSECONDS_A_DAY).any()
        return instants.astype("datetime64[D]") if self.days and whole_days else instants

    def numbers(self, instants: npt.NDArray[np.datetime64]) -> FloatArray:
        """Return dates as the numbers that are stored."""
        microseconds = (instants.astype("datetime64[us]") - np.datetime64(self.origin, "us")).astype(np.int64)
        whole, rest = np.divmod(microseconds, self.microseconds)
        return whole.astype(np.float64) + rest / self.microseconds


def date_unit(kind: FileKind, value_format: str | None) -> DateUnit | None:
    """Return the unit in which the numbers of a format count time; None where they are no dates.

    Parameters
    ----------
    kind
        Kind of the file.
    value_format
        Format of a column in it.
    """
    text = value_format or ""
    if kind == "Stata":
        if _STATA_DAY.fullmatch(text):
            return DateUnit(_STATA_ORIGIN, _MICROSECONDS_A_DAY, days=True)
        is_instant = _STATA_INSTANT.fullmatch(text) and not _STATA_CLOCK.fullmatch(text)  # no mere time of day
        return DateUnit(_STATA_ORIGIN, 1000, days=False) if is_instant else None
    if kind == "SPSS":
        if _SPSS_DAY.fullmatch(text):
            return DateUnit(_SPSS_ORIGIN, 10**6, days=True)
        return DateUnit(_SPSS_ORIGIN, 10**6, days=False) if _SPSS_INSTANT.fullmatch(text) else None
    if _SAS_DAY.fullmatch(text):
        return DateUnit(_SAS_ORIGIN, _MICROSECONDS_A_DAY, days=True)
    return DateUnit(_SAS_ORIGIN, 10**6, days=False) if _SAS_INSTANT.fullmatch(text) else None


def _scaled(numbers: FloatArray, factor: int) -> npt.NDArray[np.int64]:
    """Return numbers times a factor as whole numbers; whole parts and fractions are scaled apart, to be exact."""
    whole = np.floor(numbers)
    fraction = np.rint((numbers - whole) * factor)
    return whole.astype(np.int64) * factor + fraction.astype(np.int64)
