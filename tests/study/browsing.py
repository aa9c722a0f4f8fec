"""A real Chromium, where it is installed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.study.running import PASSWORD, Person, Server

MISSING = "Chromium is not installed; 'make system-tools' installs it as root"


def chromium() -> str | None:
    """Return where the system's Chromium is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a Chromium without a window."""
    with sync_playwright() as playwright:
        # Without a sandbox, because tests may run as root; every page is our own.
        started = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


def reach_items(page: Page, server: Server) -> str:
    """Take part with the mouse up to the first item, and return the personal link."""
    page.goto(server.address)
    page.get_by_role("button", name="Take part").click()
    link = page.locator("code.link").inner_text()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/consent")  # `all` takes what is there, and waits for nothing
    for answer in page.get_by_label("yes", exact=True).all():
        answer.check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("How old are you?").fill("30")
    page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/item/1")
    return link


def open_items(page: Page, server: Server) -> str:
    """Open the first item of somebody who came there without a browser; return the personal link."""
    with Person(server.address) as person:
        link = server.address + person.join()
        person.reach_items(age="30")
    page.goto(link)
    page.wait_for_url("**/item/1")
    return link


def login(page: Page, server: Server) -> None:
    """Log in as the researcher."""
    page.goto(f"{server.address}/research")
    page.locator('input[name="password"]').fill(PASSWORD)
    page.locator("main form button").click()
    page.wait_for_url("**/research")
