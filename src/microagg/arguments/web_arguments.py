"""Arguments of the command that serves pages to people who do not program, and its texts for the help."""

from argparse import ArgumentParser
from pathlib import Path

from microagg.arguments.command_arguments import DescribedCommand
from microagg.arguments.option_groups import add_file
from microagg.arguments.value_types import integer, memory, n_bytes, number


def _add_web(command: ArgumentParser) -> None:
    command.add_argument("file", nargs="?", type=Path, metavar="FILE", help="file to open on start")
    command.add_argument("--port", type=integer, default=0, metavar="N", help="port (default: a free one)")
    command.add_argument("--no-browser", action="store_true", help="print the address and do not open a browser")
    limits = command.add_argument_group("limits")
    add_file(limits, "--data-dir", "folder; only files below it can be opened by path")
    upload = "largest file that can be uploaded, e.g. 2G or 500M (default: 2G)"
    limits.add_argument("--max-upload", type=n_bytes, default=2_000_000_000, metavar="SIZE", help=upload)
    budget = "memory that a job may use, e.g. 2G or 500M; larger files are processed in pieces (default: half of "
    limits.add_argument("--memory", type=memory, metavar="SIZE", help=f"{budget}what is free)")
    idle = "end a session and remove its files after this many minutes without a request (default: 480)"
    limits.add_argument("--idle-minutes", type=number, default=480.0, metavar="N", help=idle)
    remote = command.add_argument_group(
        "other machines", "Connections are not encrypted unless a reverse proxy does it: see docs/web.md."
    )
    remote.add_argument(
        "--host", default="127.0.0.1", metavar="NAME", help="interface to listen on (default: 127.0.0.1)"
    )
    allowed = "accept other machines, with the token; they cannot open paths unless --data-dir is given"
    remote.add_argument("--allow-remote", action="store_true", help=allowed)
    public = "address that browsers use when the server is behind a reverse proxy with TLS"
    remote.add_argument("--public-address", metavar="ADDRESS", help=public)
    command.set_defaults(quiet=False)


WEB_COMMANDS = {
    "web": DescribedCommand(
        _add_web,
        "open pages in the browser that lead from a file to its release, without programming",
        "[FILE] [options]",
        """examples:
  microagg web
  microagg web people.csv
  microagg web --data-dir /srv/surveys --no-browser --port 8800
  microagg web --host intranet.example.org --allow-remote --data-dir /srv/surveys --max-upload 500M
  microagg web --no-browser --port 8800 --public-address https://stats.example.org --data-dir /srv/surveys""",
    ),
}
"""The command that serves pages, by its name."""
