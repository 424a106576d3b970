"""Command that serves pages to people who do not program."""

from argparse import Namespace
from contextlib import suppress

from microagg.arguments import Command
from microagg.cli.exit_codes import SUCCESS
from microagg.model.errors import InputError


def _web(options: Namespace) -> int:
    try:
        from microagg.app import ServerOptions, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise InputError(
            f"the pages need {error.name}, which is not installed: run pip install 'microagg[web]'"
        ) from None
    served = ServerOptions(
        file=options.file,
        host=options.host,
        port=options.port,
        opens_browser=not options.no_browser,
        data_folder=options.data_dir,
        allows_remote=options.allow_remote,
        public_address=options.public_address,
        memory=options.memory,
        max_upload=options.max_upload,
        idle_minutes=options.idle_minutes,
    )
    with suppress(KeyboardInterrupt):  # the usual way to end
        serve(served, _announce)
    return SUCCESS


def _announce(address: str) -> None:
    print(address)
    print("press Ctrl-C to end", flush=True)


WEB_COMMANDS: dict[str, Command] = {"web": _web}
"""The function that serves the pages."""
