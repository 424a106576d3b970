"""Pages for people who do not program, and the server that shows them: `microagg web`."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from microagg.app.web_server import ServerOptions, serve

__all__ = ["ServerOptions", "serve"]


def __getattr__(name: str) -> object:
    """Import the server, which needs an optional library, only when it is used."""
    if name in __all__:
        return getattr(importlib.import_module("microagg.app.web_server"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
