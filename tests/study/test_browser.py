"""People with a real browser: mouse, keyboard, a lost connection, a phone, a screen reader."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, Route, expect

from kilter.study.store.running_study import open_study
from tests.study import browsing
from tests.study.running import ITEMS, Person, Server, example, running
from tests.thorough import some, tried

pytestmark = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
PATIENCE = 30_000  # milliseconds, far beyond what anything needs
SIZE = tried(ITEMS, quick=3)  # items of a questionnaire


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve one study for all tests of the module."""
    with running(example(tmp_path_factory.mktemp("browser") / "study", items=SIZE)) as server:
        yield server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="en")
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    yield opened
    context.close()


def box(page: Page, question: str, value: int) -> None:
    page.locator(f'input[name="{question}"][value="{value}"]').check()


def test_a_whole_questionnaire_with_the_mouse(page: Page, shared_server: Server) -> None:
    elsewhere: list[str] = []
    problems: list[str] = []

    def watch(request: Request) -> None:
        if not request.url.startswith(shared_server.address):
            elsewhere.append(request.url)

    page.on("request", watch)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    browsing.reach_items(page, shared_server)
    for number in range(1, SIZE + 1):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Item {number} of {SIZE}")
        box(page, "holistic", 1 + number % 5)
        box(page, "order", 3)
        page.get_by_role("button", name="Next").click()
        page.wait_for_url("**/review" if number == SIZE else f"**/item/{number + 1}")
    expect(page.get_by_text("You have answered everything.")).to_be_visible()
    page.get_by_role("button", name="Submit my answers").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")
    assert elsewhere == []
    assert problems == []


def test_a_question_appears_with_the_answer_that_it_depends_on(
    page: Page, shared_server: Server
) -> None:
    with Person(shared_server.address) as person:
        link = shared_server.address + person.join()
        person.agree()
    page.goto(link)
    page.wait_for_url("**/about")
    years = page.get_by_label("for how many years")
    english = page.locator('input[name="first_language_english"]')
    expect(years).to_be_hidden()
    english.nth(1).check()
    expect(english.nth(1)).to_have_value("no")
    expect(years).to_be_visible()
    english.nth(0).check()
    expect(years).to_be_hidden()


def test_a_questionnaire_with_the_keyboard_only(page: Page, shared_server: Server) -> None:
    def focused() -> str:
        found: str = page.evaluate(
            "(document.activeElement.name || '') + '=' + (document.activeElement.value || '') + '|'"
            " + document.activeElement.textContent.trim()"
        )
        return found

    def tab_to(pattern: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if re.search(pattern, focused()):
                return
        raise AssertionError(f"{pattern} cannot be reached with the keyboard")

    page.goto(shared_server.address)
    tab_to("Take part")
    page.keyboard.press("Enter")
    page.wait_for_url("**/information")
    tab_to("Continue")
    page.keyboard.press("Enter")
    page.wait_for_url("**/consent")
    for _ in range(8):
        tab_to("=yes")
        page.keyboard.press("Space")
    tab_to("Continue")
    page.keyboard.press("Enter")
    page.wait_for_url("**/about")
    tab_to("age=")
    page.keyboard.type("52")
    tab_to("Save and continue")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sample")
    tab_to("Continue")
    page.keyboard.press("Enter")
    for number in range(1, SIZE + 1):
        page.wait_for_url(f"**/item/{number}")
        # A group of boxes is one stop of the Tab key; arrows choose in it.
        tab_to("holistic=")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        tab_to("order=")
        page.keyboard.press("ArrowRight")
        expect(page.locator('input[name="holistic"]:checked')).to_have_value("2")
        expect(page.locator('input[name="order"]:checked')).to_have_value("1")
        tab_to("Next")
        page.keyboard.press("Enter")
    page.wait_for_url("**/review")
    expect(page.get_by_text("You have answered everything.")).to_be_visible()
    tab_to("Submit")
    page.keyboard.press("Enter")
    page.wait_for_url("**/thanks")


def test_a_lost_connection_loses_nothing_and_another_device_goes_on(
    page: Page, chromium: Browser, shared_server: Server
) -> None:
    link = browsing.open_items(page, shared_server)
    box(page, "holistic", 2)
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.context.set_offline(True)
    box(page, "order", 5)
    expect(page.get_by_role("status")).to_contain_text("Not saved", timeout=PATIENCE)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Item 1 of {SIZE}")
    page.context.set_offline(False)
    page.wait_for_url("**/item/2")
    other = chromium.new_context(locale="de")
    second = other.new_page()
    second.goto(link)
    expect(second.get_by_role("heading", level=1)).to_have_text(f"Aufgabe 2 von {SIZE}")
    second.goto(f"{shared_server.address}/item/1")
    expect(second.locator('input[name="holistic"]:checked')).to_have_value("2")
    expect(second.locator('input[name="order"]:checked')).to_have_value("5")
    other.close()


def test_answers_are_saved_before_any_button_is_pressed(page: Page, shared_server: Server) -> None:
    link = browsing.open_items(page, shared_server)
    box(page, "holistic", 4)
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.close()
    with Person(shared_server.address) as person:
        person.get(link.removeprefix(shared_server.address))
        assert 'name="holistic" value="4" checked' in person.get("/item/1").text


def test_the_page_moves_on_only_after_the_server_has_answered(
    page: Page, shared_server: Server
) -> None:
    browsing.open_items(page, shared_server)
    held: list[Route] = []
    released = False

    def hold(route: Route) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/item/*", hold)
    box(page, "holistic", 4)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("status")).to_have_text("Saving ...")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Item 1 of {SIZE}")
    assert len(held) == 1
    released = True
    held[0].continue_()
    page.wait_for_url("**/item/2")


def test_without_scripts_the_buttons_save(chromium: Browser, shared_server: Server) -> None:
    context = chromium.new_context(locale="en", java_script_enabled=False)
    page = context.new_page()
    browsing.reach_items(page, shared_server)
    box(page, "holistic", 4)
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/item/2")
    page.get_by_role("button", name="Back").click()
    expect(page.locator('input[name="holistic"]:checked')).to_have_value("4")
    context.close()


def test_pages_fit_a_phone(chromium: Browser, shared_server: Server) -> None:
    context = chromium.new_context(locale="en", viewport={"width": 320, "height": 640})
    page = context.new_page()
    browsing.open_items(page, shared_server)
    for path in ("/item/1", "/information", "/about", "/review", "/withdraw", "/"):
        page.goto(shared_server.address + path)
        wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        assert not wide, path
    page.goto(f"{shared_server.address}/item/1")
    for target in page.locator(".box, .buttons button").all():
        size = target.bounding_box()
        assert size is not None
        assert size["height"] >= 44
    context.close()


WIDTHS = (360, 800, 1100, 1600)  # pixels
WINDOWS = [(width, language) for width in WIDTHS for language in ("en", "de")]
_PLACES = """() => [...document.querySelectorAll("fieldset.boxes")].map(frame => {
    const place = element => element.getBoundingClientRect().toJSON();
    return {
        name: frame.id,
        frame: place(frame),
        asked: place(frame.querySelector("legend")),
        ends: [...frame.querySelectorAll(".end")].map(place),
        boxes: [...frame.querySelectorAll(".box")].map(place),
        none: place(frame.querySelector(".none")),
    };
})"""


@pytest.fixture(scope="module")
def halfway(shared_server: Server) -> str:
    """Return the personal link of somebody who has answered some of the questions."""
    with Person(shared_server.address) as person:
        link = shared_server.address + person.join()
        person.reach_items(age="30")
        person.post("/item/1", holistic="2", order="3", action="next")
        person.post("/item/2", holistic="2", action="next")
    return link


@contextmanager
def seen(chromium: Browser, window: tuple[int, str], link: str) -> Iterator[Page]:
    """Open a personal link in a window of this width and language."""
    width, language = window
    # The checker is a script of its own, which the survey's policy would rightly refuse.
    context = chromium.new_context(
        locale=language, viewport={"width": width, "height": 800}, bypass_csp=True
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(link)
    yield page
    context.close()


def problems_of(page: Page) -> list[str]:
    """Return what a checker of accessibility finds wrong with a page, and whether it is too wide."""
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return [*found, *(["too wide"] if wide else [])]


@pytest.mark.parametrize("language", ["en", "de"])
def test_scales_keep_their_ends_and_questions_their_frame_at_every_width(
    chromium: Browser, shared_server: Server, halfway: str, language: str
) -> None:
    with seen(chromium, (WIDTHS[0], language), halfway) as page:
        found = []
        for path in ("/about", "/sample", "/item/2"):
            page.goto(shared_server.address + path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                found += page.evaluate(_PLACES)
    names = [each["name"] for each in found]
    assert names == ["grammar_attention"] * 4 + ["holistic", "order"] * 8
    for each in found:
        (left, right), boxes, frame = each["ends"], each["boxes"], each["frame"]
        assert len({box["top"] for box in boxes}) == 1, "boxes are on one line"
        assert [box["left"] for box in boxes] == sorted(box["left"] for box in boxes)
        if left["bottom"] <= boxes[0]["top"]:
            assert right["bottom"] <= boxes[0]["top"]
            assert left["left"] == pytest.approx(boxes[0]["left"], abs=1)
            assert right["right"] == pytest.approx(boxes[-1]["right"], abs=1)
        else:
            assert left["right"] <= boxes[0]["left"]
            assert right["left"] >= boxes[-1]["right"]
            assert right["top"] < boxes[0]["bottom"]
        assert each["none"]["top"] > boxes[0]["bottom"], "no answer is not part of the scale"
        for part in (left, right, *boxes, each["none"], each["asked"]):
            assert frame["left"] < part["left"] <= part["right"] < frame["right"]
            assert frame["top"] < part["top"] <= part["bottom"] < frame["bottom"]


@pytest.mark.parametrize("window", some(WINDOWS, quick=[(360, "de")]))
def test_no_page_is_too_wide_or_hard_to_reach_for_anybody(
    chromium: Browser, shared_server: Server, halfway: str, window: tuple[int, str]
) -> None:
    found: dict[str, list[str]] = {}
    with Person(shared_server.address) as person:
        beginning = shared_server.address + person.join()
        person.post("/information")
    with seen(chromium, window, halfway) as page:
        for path in ("about", "sample", "item/1", "review", "withdraw", "leave", "nothing"):
            page.goto(f"{shared_server.address}/{path}")
            found[path] = problems_of(page)
        page.goto(f"{shared_server.address}/review")
        page.emulate_media(color_scheme="dark")
        found["dark"] = problems_of(page)
        page.emulate_media(color_scheme="light")
        page.context.clear_cookies()
        for path in ("", "research/login"):
            page.goto(f"{shared_server.address}/{path}")
            found[path] = problems_of(page)
        page.goto(beginning)
        found["consent"] = problems_of(page)
        page.goto(f"{shared_server.address}/information")
        found["information"] = problems_of(page)
        browsing.login(page, shared_server)
        for path in ("research", "research/links", "research/actions"):
            page.goto(f"{shared_server.address}/{path}")
            found[path] = problems_of(page)
        store = open_study(shared_server.folder, database=None).store
        began = store.analyses.begin()
        assert began is not None
        for state in ("running", "failed"):
            page.goto(f"{shared_server.address}/research/analysis")
            found[state] = problems_of(page)
            store.analyses.fail(began, "there are no answers")
        store.close()
    assert {path: problems for path, problems in found.items() if problems} == {}


@pytest.mark.parametrize("language", ["en", "de"])
def test_tables_for_researchers_fit_at_every_width(
    chromium: Browser, shared_server: Server, halfway: str, language: str
) -> None:
    with seen(chromium, (WIDTHS[0], language), halfway) as page:
        browsing.login(page, shared_server)
        for path in ("research", "research/links", "research/actions"):
            page.goto(f"{shared_server.address}/{path}")
            for closed in page.locator("details").all():
                closed.evaluate("e => { e.open = true; }")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                beyond = page.evaluate(
                    """() => [...document.querySelectorAll("div.wide")]
                    .map(region => region.scrollWidth - region.clientWidth)"""
                )
                assert beyond
                assert max(beyond) <= 0, (path, width)
                roles = page.get_by_role("table").first.get_by_role("columnheader")
                assert roles.count() > 1, "a table stays one for screen readers"


def test_the_overview_shows_gaps_and_leads_to_the_first(
    page: Page, shared_server: Server, halfway: str
) -> None:
    page.goto(halfway)
    page.goto(f"{shared_server.address}/review")
    expect(page.get_by_text(f"{SIZE - 1} of {SIZE} items have gaps.")).to_be_visible()
    states = [item.get_attribute("class") for item in page.locator(".review a").all()]
    assert states == ["complete", "partly", *["empty"] * (SIZE - 2)]
    answered, gap = (
        page.locator(f".review .{state}").first.evaluate("e => getComputedStyle(e).borderStyle")
        for state in ("complete", "partly")
    )
    assert answered != gap
    page.get_by_role("link", name="To the first gap: item 2").click()
    page.wait_for_url("**/item/2")


def test_questions_and_boxes_have_names_that_can_be_spoken(
    page: Page, shared_server: Server
) -> None:
    browsing.open_items(page, shared_server)
    group = page.get_by_role("group", name=re.compile("How hard would it be"))
    expect(group.get_by_role("radio")).to_have_count(6)
    expect(group.get_by_role("radio", name="1 of 5: very difficult")).to_be_visible()
    expect(group.get_by_role("radio", name="5 of 5: very easy")).to_be_visible()
    expect(group.get_by_role("radio", name="no answer")).to_be_checked()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("main section p[lang='en']")).to_have_count(2)
