"""Scripts of the pages in a real browser: odd names, questions before something is left, and sessions that end."""

from pathlib import Path
from typing import Any

from web_walk import long_plan, long_table

Enter = Any
UNNAMED = ",age,income\n" + "".join(f"{n},{20 + n % 50},{n * n % 997}\n" for n in range(60))


def test_a_column_without_a_name_keeps_its_role(enter: Enter, tmp_path: Path) -> None:
    path = tmp_path / "unnamed.csv"
    path.write_text(UNNAMED)
    walk = enter()
    walk.open_path(path)
    walk.go("/settings")
    walk.choose("Role of (no name)", "drop")
    plan = walk.page.locator("#plan-text").input_value()
    assert 'drop = [""]' in plan


def test_a_release_is_checked_by_a_column_without_a_name(enter: Enter, tmp_path: Path) -> None:
    path = tmp_path / "unnamed.csv"
    path.write_text(UNNAMED)
    walk = enter()
    walk.go("/verify")
    walk.give_release(path)
    walk.page.get_by_label("(no name)").check()
    walk.press("Check the release")
    walk.heading("Verdict")
    walk.page.get_by_text("FAIL", exact=True).first.wait_for()


def test_while_a_run_works_another_file_is_opened_only_after_a_question(enter: Enter, tmp_path: Path) -> None:
    walk = enter()
    walk.open_path(long_table(tmp_path))
    walk.set_plan(long_plan())
    walk.estimate()
    walk.run()
    asked: list[str] = []

    def decline(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    walk.page.once("dialog", decline)
    walk.go("/open")
    walk.press("Try: A survey of persons")
    assert asked[0].startswith("Run 1 is not over.")
    assert walk.page.url.endswith("/open"), "nothing was opened"
    walk.page.once("dialog", lambda dialog: dialog.accept())
    walk.open_example()
    walk.go("/compare")
    walk.page.get_by_role("link", name="Run 1", exact=True).click()
    walk.press("Stop and keep the best so far")
    walk.await_release()
    assert walk.page.evaluate("document.activeElement.id") == "content", "the focus is in the new contents"


def test_the_page_of_a_run_asks_no_more_when_its_session_is_known_no_longer(enter: Enter, tmp_path: Path) -> None:
    walk = enter(expected=("status of 403",))
    walk.open_path(long_table(tmp_path))
    walk.set_plan(long_plan())
    walk.estimate()
    asked: list[str] = []

    def refuse(route: Any) -> None:
        if route.request.resource_type == "document":
            route.continue_()
            return
        asked.append(route.request.url)
        route.fulfill(status=403, body="")

    walk.page.route("**/jobs/*/events", refuse)
    walk.page.route("**/runs/1", refuse)
    walk.run()
    walk.page.locator("#message", has_text="The session of this page is over").wait_for()
    assert [url.rpartition("/")[2] for url in asked] == ["events", "1"]


def test_folders_are_gone_through(enter: Enter, tmp_path: Path) -> None:
    folder = tmp_path / "surveys"
    folder.mkdir()
    (folder / "<i>people\u202e.csv").write_text("age,income\n" + "".join(f"{n},{n}\n" for n in range(30)))
    walk = enter()
    walk.go("/open")
    walk.page.locator("#folder button").first.wait_for()
    walk.page.locator("#folder").evaluate(
        "(folder, path) => { folder.querySelector('button').dataset.folder = path; }", str(tmp_path)
    )
    walk.page.locator("#folder button").first.click()
    walk.page.get_by_role("button", name="surveys/").click()
    found = walk.page.locator("#folder [data-file]")
    found.wait_for()
    assert "\u202e" not in found.inner_text()
    found.click()
    walk.await_inspection()


def test_a_change_that_is_too_large_to_be_sent_at_the_end_is_asked_about(enter: Enter) -> None:
    walk = enter()
    walk.open_example()
    walk.go("/settings")
    walk.await_agreement()
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    walk.page.on("dialog", stay)
    walk.page.locator("#plan-text").click()
    walk.page.evaluate(
        """text => {
            const plan = document.getElementById("plan-text");
            plan.value = text;
            plan.dispatchEvent(new Event("input", { bubbles: true }));
            document.querySelector('a[href="/verify"]').click();
        }""",
        "k = 6\n" + "# a long remark\n" * 5000,
    )
    walk.page.wait_for_function("() => document.getElementById('k-1').value === '6'")
    walk.await_agreement()
    assert asked == ["beforeunload"]
    assert walk.page.url.endswith("/settings")
