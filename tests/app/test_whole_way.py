"""From an example to its release, and to the verdict on it: every page, with real jobs in processes of their own."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from microagg.app.job_queue import JobQueue
from web_clients import Browser, make_server, words_of

PLAN = """\
k = 5
method = "mdav"
columns = ["age", "income", "hours"]
identifiers = ["person_id"]
strata = ["region"]
weight = "weight"
missing = "pattern"
"""


def last_event(browser: Browser, number: int) -> Any:
    """Wait until a job is over, and return its last event."""
    lines = browser.get(f"/jobs/{number}/events").text.splitlines()
    return json.loads(next(line for line in reversed(lines) if line.startswith("data: ")).removeprefix("data: "))


def page(browser: Browser, address: str, *words: str) -> str:
    """Return a page, on which some words are."""
    answer = browser.get(address)
    assert answer.status_code == 200, answer.text
    assert " style=" not in answer.text
    shown = words_of(answer)
    assert [each for each in words if each not in shown] == []
    return str(answer.text)


def test_every_page_from_the_example_to_the_verdict(tmp_path: Path) -> None:
    with Browser(make_server(tmp_path, queue=JobQueue(warm_up=False)), enters=False) as browser:
        browser.enter()
        page(browser, "/open", "Open a file")
        browser.post_json("/open/example", {"name": "survey"})
        assert last_event(browser, 1001)["state"] == "done"
        page(browser, "/inspect", "survey.csv", "education")
        page(browser, "/settings", "person_id")
        assert browser.post_json("/plan/text", {"toml": PLAN}).status_code == 200
        browser.post_json("/estimate")
        assert last_event(browser, 1002)["state"] == "done"
        page(browser, "/estimate", "income")

        assert browser.run().json() == {"go": "/runs/1"}
        assert last_event(browser, 1)["state"] == "done"
        page(browser, "/runs/1", "survey.csv", "loss")
        page(browser, "/compare", "mdav")
        browser.post_json("/runs/1/pick")
        home = page(browser, "/runs/1/take-home", "safe.csv", "release.toml")
        files = re.findall(r'href="(/runs/1/files/[^"?]+)"', home)
        assert len(set(files)) == 6
        assert {browser.get(file).status_code for file in files} == {200}
        released = browser.get("/runs/1/files/safe.csv").text
        records = list(csv.DictReader(released.splitlines()))
        shared = Counter((record["region"], record["age"], record["income"], record["hours"]) for record in records)
        assert min(shared.values()) >= 5
        assert "person_id" not in records[0]

        browser.upload("/verify/upload?role=released", released.encode(), "safe.csv")
        page(browser, "/verify", "safe.csv")
        for k, verdict in ((5, "PASS"), (500, "FAIL")):
            address = browser.post_json("/verify", {"k": k, "columns": ["age", "income", "hours"]}).json()["go"]
            assert last_event(browser, int(address.rpartition("/")[2]))["state"] == "done"
            page(browser, address, verdict)
            page_of_document = browser.get(f"{address}/document.html")
            assert verdict in page_of_document.text
        browser.post_json("/session/end")
        assert [*browser.server.sessions.folder.iterdir()] == []
