"""Pictures of every page for the documentation: `python -m tests.study.screens`."""

import random
import re
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import cv2
import pypdfium2
from playwright.sync_api import Page, ViewportSize

from kilter.cli.main import run
from tests.docs.pages import ROOT
from tests.study import browsing
from tests.study.paper.foreign import in_arabic
from tests.study.running import Person, Server, example, running

FOLDER = ROOT / "docs" / "survey" / "screens"
SIZE: ViewportSize = {"width": 800, "height": 720}
DESK: ViewportSize = {"width": 1100, "height": 720}
PHONE: ViewportSize = {"width": 360, "height": 720}


def take(page: Page, name: str, *, whole: bool = False) -> None:
    page.screenshot(path=FOLDER / f"{name}.png", full_page=whole)
    sys.stdout.write(f"{name}\n")


def participant(page: Page, server: Server) -> None:
    page.goto(server.address)
    take(page, "welcome")
    page.get_by_role("button", name="Take part").click()
    # The picture must not show a working link, nor a port that changes every time.
    page.locator("code.link").evaluate(
        "e => { e.textContent = 'https://survey.example.org/p/...' }"
    )
    take(page, "information")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/consent")
    take(page, "consent")
    page.context.clear_cookies()
    browsing.reach_items(page, server)
    for path in ("about", "sample", "withdraw"):
        page.goto(f"{server.address}/{path}")
        take(page, path, whole=path == "sample")
    for number in range(1, 15):
        page.goto(f"{server.address}/item/{number}")
        page.locator(f'input[name="holistic"][value="{1 + number % 5}"]').check()
        page.locator('input[name="order"][value="4"]').check()
        if number == 2:
            page.wait_for_timeout(500)
            take(page, "item", whole=True)
        page.get_by_role("button", name="Next").click()
        page.wait_for_url(f"**/item/{number + 1}")
    page.goto(f"{server.address}/review")
    take(page, "review")
    page.get_by_role("button", name="Submit my answers").click()
    page.wait_for_url("**/thanks")
    take(page, "thanks")


def paper(folder: Path) -> None:
    """Take a picture of a consent form, a questionnaire, and one that runs from right to left."""
    study = example(folder / "printed")
    arabic = in_arabic(study, folder / "arabic")
    pages = []
    for made, name, number in (
        (study, "consent", 0),
        (study, "questionnaire-1-1", 0),
        (arabic, "questionnaire-1-1", 1),
    ):
        output = made.with_suffix(".paper")
        assert (
            run(["survey", "print", str(made), "-o", str(output), "--questionnaire", "1", "-q"])
            == 0
        )
        with pypdfium2.PdfDocument(output / f"{name}.pdf") as document:
            rendered = document[number].render(scale=1, grayscale=True).to_numpy()
        pages.append(cv2.copyMakeBorder(rendered, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=128))
    assert cv2.imwrite(str(FOLDER / "paper.png"), cv2.hconcat(pages))
    sys.stdout.write("paper\n")


def others(server: Server) -> None:
    """Let a few people answer, and spread them over the days before: a study that has run for a while."""
    chance = random.Random(5)
    for number in range(8):
        with Person(server.address) as person:
            person.join()
            person.reach_items()
            token = person.form_token
            for place in range(1, 16 if number < 6 else 7):
                first, second = re.findall("<bdi>(.*?)</bdi>", person.get(f"/item/{place}").text)
                good = 5 if first == second else min(5, 1 + len(first) % 4 + chance.randint(0, 1))
                # One of them does not read.
                answers = dict.fromkeys(("holistic", "order"), str(2 if number == 4 else good))
                opened = str(time.time() - chance.uniform(5, 25))
                person.save(f"/item/{place}", token, visit=f"v{place}", opened=opened, **answers)
            if number < 6:
                person.get("/review")
                person.post("/submit")
    with (
        closing(sqlite3.connect(server.folder / "answers.db", timeout=60)) as database,
        database,
    ):
        rows = database.execute("SELECT id FROM participant WHERE informed_at IS NOT NULL")
        for days, (person_id,) in enumerate(reversed(rows.fetchall())):
            seconds = days * 0.8 * 24 * 3600
            for table, column, key in (
                ("participant", "informed_at", "id"),
                ("participant", "submitted_at", "id"),
                ("answer", "saved_at", "participant"),
            ):
                moved = f"UPDATE {table} SET {column} = {column} - ? WHERE {key} = ?"  # noqa: S608 - names from above
                database.execute(moved, (seconds, person_id))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        paper(Path(temporary))
    with (
        tempfile.TemporaryDirectory() as folder,
        running(example(Path(folder) / "study")) as server,
        browsing.browser() as browser,
    ):
        page = browser.new_context(locale="en", viewport=SIZE).new_page()
        participant(page, server)
        phone = browser.new_context(locale="de", viewport=PHONE).new_page()
        phone.goto(server.address + "/?language=en")
        browsing.reach_items(phone, server)
        phone.goto(f"{server.address}/item/1?language=de")
        take(phone, "phone")
        others(server)
        page.set_viewport_size(DESK)
        browsing.login(page, server)
        take(page, "research", whole=True)


if __name__ == "__main__":
    main()
