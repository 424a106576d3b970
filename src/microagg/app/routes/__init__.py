"""Routes: what each address of the pages does, by sessions, jobs and pages."""

from starlette.convertors import IntegerConvertor, register_url_convertor


class _JobNumber(IntegerConvertor):
    """Number of a job in an address: one with more digits is none, and not given to `int`, which refuses thousands."""

    regex = "[0-9]{1,9}"


register_url_convertor("number", _JobNumber())
