"""Only who has the token comes in, and only pages of the session change anything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import JSONResponse
from starlette.routing import Route

from microagg.app.access import PAGE_POLICY
from microagg.app.answers import DOCUMENT_POLICY
from microagg.app.job import Event
from microagg.app.routes import open_routes
from microagg.app.server_state import ServerAddress, ServerState
from web_clients import COOKIE, CSRF_HEADER, PORT, ROOT, Browser, make_server, opened, words_of


@pytest.fixture
def server(tmp_path: Path) -> ServerState:
    return make_server(tmp_path)


def addresses(browser: Browser) -> Iterator[tuple[str, str]]:
    """Yield the method and address of every route."""
    for route in browser.app.routes:  # type: ignore[attr-defined]
        assert isinstance(route, Route)
        path = route.path.replace("{number:number}", "1").replace("{name}", "app.css")
        for method in sorted(route.methods or ()):
            yield method, path


def test_the_token_makes_a_session_and_leads_on(server: ServerState) -> None:
    browser = Browser(server, enters=False)
    answer = browser.enter()
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert server.keys.token not in cookie
    assert browser.get("/").headers["location"] == "/open"


def test_a_link_from_elsewhere_leads_on_by_a_page_as_strict_cookies_need(server: ServerState) -> None:
    browser = Browser(server, enters=False)
    answer = browser.get("/", params={"token": server.keys.token}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0;url=/"' in answer.text
    assert browser.get("/").status_code == 303


def test_each_entry_without_a_cookie_is_a_new_session_and_one_with_it_is_not(server: ServerState) -> None:
    browser, other = Browser(server), Browser(server)
    assert browser.session is not other.session
    session = browser.session
    browser.enter()
    assert browser.session is session
    assert len(server.sessions) == 2


def test_entry_makes_the_secrets_of_a_session_anew_so_that_a_planted_cookie_is_worth_nothing(
    server: ServerState,
) -> None:
    attacker, victim = Browser(server), Browser(server, enters=False)
    planted = attacker.session.key
    csrf = attacker.session.csrf
    victim.cookies.set(COOKIE, planted, domain="127.0.0.1", path="/")
    entry = victim.enter()
    assert planted not in entry.headers["set-cookie"]
    assert victim.upload("/open/upload", b"a\n1\n").status_code == 200
    assert server.sessions.find(planted) is None
    assert attacker.get("/inspect").status_code == 403
    assert attacker.post("/session/end", json={}, headers={CSRF_HEADER: csrf}).status_code == 403
    assert victim.session.csrf != csrf


def test_a_ticket_lets_in_once(server: ServerState) -> None:
    ticket = server.keys.ticket()
    answers = [Browser(server, enters=False).get("/", params={"token": ticket}).status_code for _ in range(2)]
    assert answers == [303, 403]


@pytest.mark.parametrize("token", ["", "wrong", "ö"])
def test_a_wrong_token_is_refused_also_with_a_session(server: ServerState, token: str) -> None:
    for enters in (False, True):
        answer = Browser(server, enters=enters).get("/", params={"token": token})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert len(server.sessions) == 1


def test_the_token_opens_nothing_but_the_first_page(server: ServerState) -> None:
    answer = Browser(server, enters=False).get("/open", params={"token": server.keys.token})
    assert answer.status_code == 403


def test_strangers_see_no_address(server: ServerState) -> None:
    stranger = Browser(server, enters=False)
    for method, path in addresses(stranger):
        if path == "/ended" or path.startswith("/static/"):
            continue
        answer = stranger.request(method, path)
        assert answer.status_code == 403, (method, path)
        if method != "HEAD":
            assert "Use the address that microagg printed" in words_of(answer)
    assert stranger.get("/nowhere").status_code == 403
    assert len(server.sessions) == 0


@pytest.mark.parametrize("key", ["", "x", "../server"])
def test_a_made_up_cookie_is_no_session(server: ServerState, key: str) -> None:
    stranger = Browser(server, enters=False)
    stranger.cookies.set(COOKIE, key)
    assert stranger.get("/open").status_code == 403


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", "localhost", ""])
def test_foreign_names_are_refused_before_anything_else(server: ServerState, host: str) -> None:
    browser = Browser(server)
    for path in ("/open", "/static/app.css", f"/?token={server.keys.token}", "/ended"):
        answer = browser.get(path, headers={"Host": host})
        assert answer.status_code == 400
        assert "set-cookie" not in answer.headers
        assert "printed" in words_of(answer)


def posts(browser: Browser) -> list[str]:
    return [path for method, path in addresses(browser) if method == "POST"]


def test_every_post_needs_the_secret_of_its_session(server: ServerState) -> None:
    browser, other = Browser(server), Browser(server)
    for path in posts(browser):
        for sent in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "wrong"}, {CSRF_HEADER: other.session.csrf}):
            answer = browser.post(path, json={}, headers=sent)
            assert answer.status_code == 403, path
            assert "did not come from a page of your session" in words_of(answer)
    assert len(server.sessions) == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ROOT.replace("http:", "https:")},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_posts_of_other_origins_are_refused(server: ServerState, headers: dict[str, str]) -> None:
    browser = Browser(server)
    answer = browser.post("/open/example", json={"name": "survey"}, headers={**browser.signed(), **headers})
    assert answer.status_code == 403
    assert browser.session.source is None


def test_posts_of_the_own_origin_are_taken(server: ServerState) -> None:
    browser = Browser(server)
    own = {**browser.signed(), "Origin": ROOT, "Sec-Fetch-Site": "same-origin"}
    assert browser.post("/open/example", json={"name": "survey"}, headers=own).json() == {"go": "/inspect"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(server: ServerState, method: str) -> None:
    browser = Browser(server)
    assert browser.request(method, "/open").status_code == 403
    assert browser.request(method, "/open", headers=browser.signed()).status_code == 405


def check_headers(answer: Any, policy: str = PAGE_POLICY) -> None:
    expected = {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "content-security-policy": policy,
    }
    assert {name: answer.headers.get(name) for name in expected} == expected
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "access-control-allow-origin" not in answer.headers


def test_every_kind_of_answer_is_protected(server: ServerState, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = opened(server)
    stranger = Browser(server, enters=False)
    browser.run()
    run = browser.queue.processes[-1]
    browser.queue.write(run.job, {"release.json": {"facts": {}, "file": "safe.csv"}, "report.html": "<p>"})
    browser.tell(run, Event("released"), Event("done"))
    answers = [
        *(stranger.enter(), stranger.get("/nowhere"), stranger.get("/", headers={"Host": "evil.example"})),
        *(browser.get("/"), browser.get("/open"), browser.get("/nowhere"), browser.get("/static/app.css")),
        *(
            browser.get("/jobs/1/events"),
            browser.get("/open/folder?path=/"),
            browser.post_json("/open/path", {"path": "/x"}),
        ),
        *(browser.post("/runs"), browser.post_json("/open"), browser.get("/ended"), browser.get("/runs/99")),
    ]
    assert {answer.status_code for answer in answers} == {200, 303, 400, 403, 404, 405}
    for answer in answers:
        check_headers(answer)
    check_headers(browser.get("/runs/1/files/report.html"), DOCUMENT_POLICY)
    check_headers(browser.get("/runs/1/files/report.html?show"), DOCUMENT_POLICY)
    monkeypatch.setattr(server.data_folder, "listing", lambda *_: 1 / 0)
    broken = browser.get("/open")
    assert broken.status_code == 500
    check_headers(broken)


def test_the_end_of_a_session_removes_its_cookie_and_its_files(server: ServerState) -> None:
    browser = opened(server)
    folder = browser.session.folder
    assert "has not ended" in words_of(browser.get("/ended"))
    answer = browser.post_json("/session/end")
    assert answer.json() == {"go": "/ended"}
    assert f'{COOKIE}=""' in answer.headers["set-cookie"]
    assert not folder.exists()
    assert browser.get("/open").status_code == 403
    ended = browser.get("/ended")
    assert ended.status_code == 200
    assert "its files were removed" in words_of(ended)


def test_the_file_of_the_command_is_open_in_each_session(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a\n1\n")
    browser = Browser(make_server(tmp_path, first_file=path))
    source = browser.session.source
    assert source is not None
    assert (source.path, source.is_upload) == (path, False)
    assert [process.job.kind for process in browser.queue.processes] == ["inspect"]
    assert browser.get("/").headers["location"] == "/inspect"


def test_behind_a_proxy_the_cookie_is_secure_and_only_the_public_origin_changes_anything(tmp_path: Path) -> None:
    address = ServerAddress("127.0.0.1", PORT, "https://stats.example.org")
    server = make_server(tmp_path, address=address)
    browser = Browser(server, enters=False)
    browser.base_url = "https://stats.example.org"
    entry = browser.enter()
    assert "Secure" in entry.headers["set-cookie"].split("; ")
    page = browser.get("/open").text
    assert "Everything stays on this machine" not in page
    for origin, status in {
        "https://stats.example.org": 200,
        "http://stats.example.org": 403,
        f"http://127.0.0.1:{PORT}": 403,
    }.items():
        headers = {**browser.signed(), "Origin": origin}
        assert browser.post("/compare/undo", json={}, headers=headers).status_code == (409 if status == 200 else 403)
    assert browser.get("/open", headers={"Host": "evil.example"}).status_code == 400


def test_a_first_file_that_is_gone_does_not_keep_anybody_out(tmp_path: Path) -> None:
    browser = Browser(make_server(tmp_path, first_file=tmp_path / "gone.csv"))
    assert browser.get("/").headers["location"] == "/open"


def test_a_session_is_not_ended_during_its_own_request(server: ServerState, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(server)
    seen: list[int] = []

    def note(_: str) -> JSONResponse:
        seen.append(browser.session.n_requests)
        return JSONResponse({})

    monkeypatch.setattr(open_routes, "go", note)
    browser.upload("/open/upload", b"a\n1\n")
    assert seen == [1]
    assert browser.session.n_requests == 0
