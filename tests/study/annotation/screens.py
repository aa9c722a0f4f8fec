"""Pictures of the annotation pages for the documentation: `python -m tests.study.annotation.screens`."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.docs.pages import ROOT
from tests.study import browsing
from tests.study.annotation.drawing import draw
from tests.study.annotation.serving import Annotated, annotated

FOLDER = ROOT / "docs" / "annotation"
DESK: ViewportSize = {"width": 1100, "height": 660}
PHONE: ViewportSize = {"width": 360, "height": 720}
SOURCE = [
    "I read a book every evening .",
    "The children are playing in the garden behind the old house .",
    "I am reading the old book .",
    "The children read every evening .",
    "I read in the garden .",
    "The house is old .",
]
TARGET = [
    "私 は 毎晩 本 を 読み ます 。",
    "子供たち が 古い 家 の 後ろ の 庭 で 遊ん で い ます 。",
    "私 は 古い 本 を 読ん で い ます 。",
    "子供たち は 毎晩 読み ます 。",
    "私 は 庭 で 読み ます 。",
    "家 は 古い です 。",
]


def shot(browser: Browser, site: Annotated, person: str, path: str, size: ViewportSize) -> Page:
    page = browser.new_context(locale="en", viewport=size).new_page()
    page.goto(site.links[person])
    page.goto(site.address + path)
    expect(page.locator("body[data-ready]")).to_be_attached()
    return page


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=FOLDER / f"{name}.png")
    sys.stdout.write(f"{name}\n")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        annotated(Path(folder), SOURCE, TARGET, links="hmm", annotators=("Aiko", "Ben")) as site,
        browsing.browser() as browser,
    ):
        page = shot(browser, site, "Aiko", "/sentence/1", DESK)
        for source, target in ((0, 0), (1, 5), (3, 3), (3, 4)):
            page.locator("#board .source .word").nth(source).click()
            page.locator("#board .target .word").nth(target).click()
        expect(page.locator("#status")).to_have_text("Saved.")
        take(page, "editor")
        phone = shot(browser, site, "Aiko", "/sentence/2", PHONE)
        phone.locator("#board .source .word").nth(9).click()
        phone.locator("#board .target .word").nth(2).click()
        phone.locator("#board .source .word").nth(1).click()
        phone.locator("#links-title").evaluate("e => scrollTo(0, e.offsetTop - 8)")
        expect(phone.locator("#status")).to_have_text("Saved.")
        take(phone, "phone")
        draw(site, "Ben", 1, TARGET[0], "0-0 0-1 1-5 1-6 3-3 4-2? 5-2 6-7")
        draw(site, "Aiko", 1, TARGET[0], "0-0 0-1 1-5 1-6 3-3 3-4 4-2 5-2 6-7")
        take(shot(browser, site, "Judge", "/adjudicate/1", DESK), "adjudication")


if __name__ == "__main__":
    main()
