"""Fixtures of tests of the pages in a real browser: the server as the command starts it, and watched visitors."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from microagg.app.access import CSRF_HEADER
from patience import PATIENCE
from real_browser import browser
from served_pages import ServedPages
from web_walk import QUICK_PLAN, WebWalk

__all__ = ["browser"]

_SECRET = re.compile('<meta name="microagg-csrf" content="([^"]+)"')

Enter = Callable[..., WebWalk]
Serve = Callable[..., ServedPages]


class Watch:
    """What visitors do that they must not: requests to elsewhere, errors of scripts, words on the console.

    Attributes
    ----------
    seen : list of str
        Everything of that kind.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []

    def over(self, context: Any, root: str, expected: tuple[str, ...]) -> None:
        """Watch all pages of a visitor; words on the console that hold one of the expected texts are no harm."""
        context.on("request", lambda request: self._request(request.url, root))
        context.on("weberror", lambda error: self.seen.append(f"error: {error.error}"))
        context.on("console", lambda message: self._words(message.text, expected))

    def _request(self, url: str, root: str) -> None:
        if not url.startswith((f"{root}/", "blob:", "data:")):
            self.seen.append(f"request to {url}")

    def _words(self, text: str, expected: tuple[str, ...]) -> None:
        if not any(each in text for each in expected):
            self.seen.append(f"console: {text}")


class Visits:
    """Visitors of servers, each with a session of its own."""

    def __init__(self, browser: Any, server: ServedPages) -> None:
        self._browser = browser
        self._server = server
        self._contexts: list[tuple[Any, ServedPages]] = []
        self.watch = Watch()

    def enter(self, server: ServedPages | None = None, *, width: int = 1280, expected: tuple[str, ...] = ()) -> WebWalk:
        """Use the printed address of a server, in a browser that knows nothing of others."""
        served = server or self._server
        context = self._browser.new_context(viewport={"width": width, "height": 900})
        context.set_default_timeout(1000 * PATIENCE)
        self._contexts.append((context, served))
        self.watch.over(context, served.root, expected)
        page = context.new_page()
        page.goto(served.address)
        return WebWalk(page, served.root)

    def close(self) -> None:
        """Close all browsers, end their sessions, and check that nothing was done that must not be."""
        for context, served in self._contexts:
            for page in context.pages:
                page.close()
            if served.is_running:
                _end_session(context.request, served.root)
            context.close()
        assert self.watch.seen == []


def _end_session(requests: Any, root: str) -> None:
    """End the session of a visitor, if it has one, so that its runs keep nobody waiting."""
    secret = _SECRET.search(requests.get(f"{root}/open").text())
    if secret is not None:
        requests.post(f"{root}/session/end", headers={CSRF_HEADER: secret[1]}, data={})


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPages]:
    """Return the server of most tests."""
    with ServedPages(tmp_path_factory.mktemp("temporary")) as served:
        yield served
    assert served.folders() == [], "nothing is left when the server has ended"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts a server of the test's own."""
    started: list[ServedPages] = []

    def serving(folder: Path | None = None, *arguments: object) -> ServedPages:
        served = ServedPages(folder or tmp_path, *arguments)
        started.append(served)
        return served

    yield serving
    for served in started:
        served.end()


@pytest.fixture
def enter(browser: Any, server: ServedPages) -> Iterator[Enter]:
    """Return a function that lets a visitor in; no request may leave the machine, and no script may fail."""
    visits = Visits(browser, server)
    yield visits.enter
    visits.close()


@pytest.fixture(scope="session")
def finished(browser: Any, server: ServedPages) -> Iterator[WebWalk]:
    """Return a visitor that has made two runs on the example survey: with k = 5, and with k = 10."""
    visits = Visits(browser, server)
    walk = visits.enter()
    walk.open_example()
    walk.run_plan(QUICK_PLAN)
    walk.run_plan(QUICK_PLAN.replace("k = 5", "k = 10"))
    yield walk
    visits.close()


@pytest.fixture
def shown(finished: WebWalk) -> Iterator[WebWalk]:
    """Return a fresh tab of the visitor that has made two runs."""
    page = finished.page.context.new_page()
    yield WebWalk(page, finished.root)
    page.close()
