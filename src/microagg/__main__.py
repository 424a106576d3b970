"""Entry point of `python -m microagg`."""

from microagg.cli import main

if __name__ == "__main__":
    main()
