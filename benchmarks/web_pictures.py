"""Take the pictures of docs/web.md: every step of the pages of microagg web, on an example, by the real server."""

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from served_pages import ServedPages
from web_walk import WebWalk, chromium, long_plan, long_table

FOLDER = Path(__file__).parents[1] / "docs" / "web"
WIDTH = 1280
HEIGHT = 900
TALLEST = 1500
MOST_BYTES = 150_000

PLAN = """\
k = {k}
columns = ["sex", "age", "education", "hours", "income"]
identifiers = ["person_id"]
strata = ["region"]
weight = "weight"
confidential = ["rent"]
l_diversity = 2
missing = "pattern"
small_strata = "merge"
effort = "quick"

[ordinal]
education = ["primary", "lower secondary", "upper secondary", "tertiary"]
"""


class Camera:
    """Camera that takes pictures of pages for the docs.

    Parameters
    ----------
    page
        The page of the browser.
    """

    def __init__(self, page: Any) -> None:
        self._page = page

    def take(self, name: str, *, scheme: str = "light", tallest: int = TALLEST) -> None:
        """Save a picture of the page from its top, with few colours so that it is small."""
        self._page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        self._page.evaluate("() => { scrollTo(0, 0); document.activeElement?.blur(); }")
        height = min(self._page.evaluate("document.documentElement.scrollHeight"), tallest)
        taken = self._page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": height}, full_page=True)
        picture = Image.open(io.BytesIO(taken)).convert("RGB")
        path = FOLDER / f"{name}.png"
        picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        n_bytes = path.stat().st_size
        print(f"{path.name}: {picture.width} × {picture.height}, {n_bytes / 1000:.0f} kB")
        if n_bytes > MOST_BYTES:
            raise RuntimeError(
                f"{path.name} has {n_bytes} bytes, at most {MOST_BYTES} are meant: take less of the page"
            )


def take_pictures(walk: WebWalk, data: Path) -> None:
    """Walk from the first step to the verdict, and take a picture of each."""
    camera = Camera(walk.page)
    camera.take("open")
    walk.open_example()
    camera.take("inspect")
    walk.set_plan(PLAN.format(k=5))
    camera.take("settings")
    walk.estimate()
    camera.take("estimate")
    walk.run()
    walk.await_report()
    camera.take("result", tallest=830)
    for k in (3, 10, 20):
        walk.run_plan(PLAN.format(k=k))
    walk.go("/compare")
    walk.press("Pick run 3")
    walk.page.locator("tr.picked").wait_for()
    camera.take("compare")
    camera.take("compare-dark", scheme="dark")
    walk.press("Take home run 3")
    walk.heading("take home")
    camera.take("take-home", tallest=1000)
    release = walk.page.request.get(f"{walk.root}/runs/3/files/safe.csv").body()
    walk.go("/verify")
    walk.page.locator("#released-file").set_input_files({"name": "safe.csv", "mimeType": "text/csv", "buffer": release})
    walk.page.get_by_role("checkbox", name="age").wait_for()
    for name in ("sex", "age", "education", "hours", "income"):
        walk.page.get_by_role("checkbox", name=name, exact=True).check()
    walk.page.get_by_label("k", exact=True).fill("10")
    camera.take("verify")
    walk.press("Check the release")
    walk.heading("Verdict")
    camera.take("verdict", tallest=1000)
    take_live_run(walk, camera, data)


def take_live_run(walk: WebWalk, camera: Camera, data: Path) -> None:
    """Take pictures of a run that is under way, and stop it."""
    walk.open_path(long_table(data))
    walk.set_plan(long_plan())
    walk.estimate()
    walk.run()
    walk.page.locator("#live-curve svg").wait_for()
    walk.page.wait_for_function("() => parseFloat(document.getElementById('progress').value) > 0.08")
    camera.take("run")
    camera.take("run-dark", scheme="dark")
    walk.press("Stop and keep the best so far")
    walk.await_release()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        data = Path(place) / "surveys"
        data.mkdir()
        with ServedPages(Path(place), "--data-dir", data) as served:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.set_default_timeout(120_000)
            page.goto(served.address)
            take_pictures(WebWalk(page, served.root), data)


if __name__ == "__main__":
    main()
