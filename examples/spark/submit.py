"""The command line as a file to submit: `spark-submit … submit.py spark protect INPUT -o OUTPUT --plan FILE`."""

from microagg.cli import main

if __name__ == "__main__":
    main()
