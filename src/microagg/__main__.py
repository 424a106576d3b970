"""Run the command line as `python -m microagg`."""

from microagg.cli import main

if __name__ == "__main__":
    main()
