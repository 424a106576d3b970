"""Hostile names of files and columns on every page in a real browser: they are texts, and nothing of them runs."""

import csv
import io
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from web_walk import WebWalk

Enter = Any
ATTACK = "<img src=x onerror=window.hacked=1>"
COLUMNS = (
    ATTACK,
    "\"'><script>window.hacked=2</script>",
    "../../etc/passwd",
    "</textarea></title><svg onload=window.hacked=3>",
    "\u202eesrever\u202c 😀 \u200fא",
    "${window.hacked=4} {{7*7}} %00 &lt;b&gt;",
    "very long " + "x" * 300,
)
FILE = f"{ATTACK} \"'& 😀 \u202e {'y' * 120}.csv"


def hostile_table() -> bytes:
    """Return a table whose columns have hostile names, and whose categories are hostile, too."""
    rng = Random(24)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow([*COLUMNS, "category"])
    for _ in range(120):
        table.writerow([*(f"{rng.gauss(0, 9):.1f}" for _ in COLUMNS), rng.choice([ATTACK, "</script>", "b"])])
    return text.getvalue().encode()


def quoted(name: str) -> str:
    """Return a name as TOML has it."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    assert tomllib.loads(f'name = "{escaped}"')["name"] == name
    return f'"{escaped}"'


def is_unharmed(walk: WebWalk) -> None:
    """Check that no script of a name was run, and that no element was made of one."""
    assert walk.page.evaluate("window.hacked") is None
    found = walk.page.evaluate("document.querySelectorAll('main img, main script, main svg[onload], main b').length")
    assert found == 0
    assert walk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_names_are_texts_on_every_page(enter: Enter, tmp_path: Path) -> None:
    walk = enter()
    walk.page.locator("#file").set_input_files({"name": FILE, "mimeType": "text/csv", "buffer": hostile_table()})
    walk.await_inspection()
    is_unharmed(walk)
    assert walk.page.get_by_text(ATTACK).count() > 0
    walk.go("/settings")
    is_unharmed(walk)
    walk.page.get_by_label("Method", exact=True).first.select_option("mdav")
    columns = ", ".join(map(quoted, COLUMNS[:4]))
    walk.write_plan(f'k = 5\nmethod = "mdav"\ncolumns = [{columns}]\nstrata = ["category"]\nsmall_strata = "merge"\n')
    is_unharmed(walk)
    walk.estimate()
    is_unharmed(walk)
    walk.run()
    is_unharmed(walk)
    walk.await_report()
    is_unharmed(walk)
    walk.go("/compare")
    is_unharmed(walk)
    walk.go("/runs/1/take-home")
    is_unharmed(walk)
    for name in ("report.html", "report_public.html"):
        walk.go(f"/runs/1/files/{name}?show")
        assert walk.page.evaluate("window.hacked") is None
    release = walk.page.request.get(f"{walk.root}/runs/1/files/safe.csv").body()
    walk.go("/verify")
    walk.give_release({"name": FILE, "mimeType": "text/csv", "buffer": release})
    walk.page.get_by_role("checkbox").first.wait_for()
    is_unharmed(walk)
    for box in walk.page.get_by_role("checkbox").all()[:4]:
        box.check()
    walk.press("Check the release")
    walk.heading("Verdict")
    is_unharmed(walk)


@pytest.mark.parametrize("name", ["../../../outside.csv", "/etc/outside.csv", "a\0b.csv", "..", f"{'z' * 400}.csv"])
def test_a_name_never_leads_out_of_the_session(enter: Enter, server: Any, name: str) -> None:
    walk = enter()
    upload = """async name => {
        const csrf = document.querySelector('meta[name="microagg-csrf"]').content;
        const headers = {"X-Microagg-Csrf": csrf, "X-File-Name": encodeURIComponent(name)};
        return (await fetch("/open/upload", {method: "POST", headers, body: "a,b\\n1,2\\n"})).status;
    }"""
    assert walk.page.evaluate(upload, name) in (200, 400)
    everywhere = [path for path in server.folder.rglob("*.csv") if path.stem.startswith(("outside", "z", "b", "a"))]
    folders = {path.parent.name.partition("-")[0] for path in everywhere}
    assert folders <= {"upload", "read"}, "a job reads a link of its own to an upload"
    assert not Path("/etc/outside.csv").exists()
