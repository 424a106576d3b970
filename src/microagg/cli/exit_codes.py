"""Exit codes of the command line; argparse exits with 2, too, and an interruption with 130."""

SUCCESS = 0
FAILED = 1  # a release or a certificate that fails its check
BAD_INPUT = 2
CANNOT_PRINT = 74  # EX_IOERR of sysexits.h
