"""The other instruments in a real browser: systems together, a slider, a choice of two."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from kilter.cli.main import run
from kilter.study.store.running_study import open_study
from tests.study import browsing
from tests.study.instruments import created
from tests.study.running import Person, Server, running
from tests.thorough import some, tried

pytestmark = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
PATIENCE = 30_000  # milliseconds, far beyond what anything needs
INSTRUMENTS = ("together", "direct-assessment", "pairwise")
ITEMS = 2
_FOCUSED = """() => {
    const at = document.activeElement;
    const name = at.name || at.closest("fieldset")?.id || "";
    return name + "=" + (at.value || "") + "|" + at.textContent.trim();
}"""


@pytest.fixture(scope="module", params=INSTRUMENTS)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Serve a study of two items with an instrument."""
    folder = tmp_path_factory.mktemp(request.param) / "study"
    with running(created(folder, request.param, items=ITEMS)) as server:
        yield server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="en", bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    yield opened
    context.close()


def instrument_of(server: Server) -> str:
    text = (server.folder / "study.toml").read_text(encoding="utf-8")
    return next(name for name in INSTRUMENTS if f'instrument = "{name}"' in text)


def answers(server: Server, link: str) -> dict[int, dict[str, int]]:
    """Return what the database holds of whoever has this link."""
    study = open_study(server.folder, database=server.database)
    person = study.store.participants.named(link)
    assert person is not None
    found = study.store.answers.of(person.id)
    study.store.close()
    return found


def slider(page: Page) -> tuple[str, str]:
    """Return what the slider says to eyes and to ears."""
    spoken = page.get_by_role("slider").get_attribute("aria-valuetext") or ""
    return page.locator("fieldset.slider output").inner_text(), spoken


def test_items_are_answered_with_the_mouse(page: Page, served: Server) -> None:
    kind = instrument_of(served)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    link = browsing.open_items(page, served)
    if kind == "together":
        expect(page.get_by_role("heading", name="Reference")).to_have_count(1)
        expect(page.get_by_role("heading", name=re.compile("^Translation [1-5]"))).to_have_count(5)
        expect(page.get_by_role("radio", name="0 of 6: nonsense")).to_have_count(5)
        for slot in range(1, 6):
            page.locator(f'input[name="rating.{slot}"][value="{slot}"]').check()
        wanted = {f"rating.{slot}": slot for slot in range(1, 6)}
    elif kind == "pairwise":
        page.get_by_label("translation B", exact=True).check()
        wanted = {"preference": 3}
    else:
        assert slider(page) == ("not yet answered", "not yet answered")
        expect(page.get_by_role("button", name="Take the answer back")).to_be_hidden()
        place = page.get_by_role("slider").bounding_box()
        assert place is not None
        page.mouse.click(place["x"] + 0.9 * place["width"], place["y"] + place["height"] / 2)
        expect(page.locator("fieldset.slider output")).not_to_have_text("not yet answered")
        said, spoken = slider(page)
        assert 80 < int(said) < 100
        assert spoken == said
        wanted = {"assessment": int(said)}
        expect(page.get_by_role("button", name="Take the answer back")).to_be_visible()
    expect(page.get_by_role("status").last).to_have_text("Saved.")
    assert answers(served, link) == {1: wanted}
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/item/2")
    page.get_by_role("button", name="Overview").click()
    page.wait_for_url("**/review")
    states = [item.get_attribute("class") for item in page.locator(".review a").all()]
    assert states == ["complete", "empty"]
    assert problems == []


def test_items_are_answered_with_the_keyboard_only(page: Page, served: Server) -> None:
    kind = instrument_of(served)
    link = browsing.open_items(page, served)

    def tab_to(pattern: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if re.search(pattern, page.evaluate(_FOCUSED)):
                return
        raise AssertionError(f"{pattern} cannot be reached with the keyboard")

    if kind == "together":
        for slot in range(1, 6):
            tab_to(rf"^rating\.{slot}=")
            for _ in range(slot):
                page.keyboard.press("ArrowRight")
        wanted = {f"rating.{slot}": slot - 1 for slot in range(1, 6)}  # boxes begin with 0
    elif kind == "pairwise":
        tab_to("^preference=")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        wanted = {"preference": 2}
    else:
        tab_to("^assessment=")
        page.keyboard.press("Space")  # the middle, where the slider stands, is an answer, too
        assert slider(page) == ("50", "50")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert slider(page) == ("52", "52")
        wanted = {"assessment": 52}
    tab_to("Next")
    page.keyboard.press("Enter")
    page.wait_for_url("**/item/2")
    assert answers(served, link) == {1: wanted}
    page.goto(f"{served.address}/item/1")
    if kind != "direct-assessment":
        return
    assert slider(page) == ("52", "52")
    tab_to("Take the answer back")
    page.keyboard.press("Enter")
    assert slider(page) == ("not yet answered", "not yet answered")
    expect(page.get_by_role("status").last).to_have_text("Saved.")
    assert answers(served, link) == {}


@pytest.mark.parametrize("served", ["direct-assessment"], indirect=True)
def test_a_slider_that_nobody_has_moved_is_no_answer(page: Page, served: Server) -> None:
    link = browsing.open_items(page, served)
    expect(page.locator("fieldset.slider")).to_have_class(re.compile("unanswered"))
    expect(page.get_by_role("slider")).to_have_value("50")
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/item/2")
    assert answers(served, link) == {}
    place = page.get_by_role("slider").bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.locator("fieldset.slider output")).to_have_text(re.compile("^(49|50|51)$"))
    expect(page.get_by_role("status").last).to_have_text("Saved.")
    assert 49 <= answers(served, link)[2]["assessment"] <= 51


@pytest.mark.parametrize("width", some([360, 800, 1100, 1600], quick=[360]))
@pytest.mark.parametrize("language", some(["en", "de"], quick=["de"]))
def test_pages_are_easy_to_reach_and_fit_every_window(
    chromium: Browser, served: Server, width: int, language: str
) -> None:
    context = chromium.new_context(
        locale=language, viewport={"width": width, "height": 800}, bypass_csp=True
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    browsing.open_items(page, served)
    for path in ("item/1", "sample", "review")[: tried(3, quick=1)]:
        page.goto(f"{served.address}/{path}")
        assert [found["id"] for found in Axe().run(page).response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.goto(f"{served.address}/item/1")
    for target in page.locator('.box, .range input[type="range"]').all():
        size = target.bounding_box()
        assert size is not None
        assert size["height"] >= 44
    for row in page.locator(".steps").all():
        tops = {box.bounding_box()["y"] for box in row.locator(".box").all()}  # type: ignore[index]
        assert len(tops) == 1, "boxes are on one line"
    context.close()


def test_without_scripts_the_same_answers_are_saved(served: Server) -> None:
    kind = instrument_of(served)
    with Person(served.address) as person:
        link = person.join()
        person.reach_items()
        if kind == "together":
            person.post("/item/1", **{"rating.1": "6", "rating.3": "0", "action": "review"})
            assert "Item 1: partly answered" in person.page.text
            person.post(
                "/item/1", **{f"rating.{slot}": "6" for slot in range(1, 6)}, action="review"
            )
            assert "Item 1: answered" in person.page.text
            wrong, wanted = {"rating.2": "7"}, {f"rating.{slot}": 6 for slot in range(1, 6)}
        elif kind == "pairwise":
            person.post("/item/1", preference="1", action="review")
            wrong, wanted = {"preference": "4"}, {"preference": 1}
        else:
            person.post("/item/1", assessment="0", action="review")
            wrong, wanted = {"assessment": "101"}, {"assessment": 0}
        person.get("/item/1")
        assert person.post("/item/1", **wrong, action="next").status_code == 422
        assert "Please check this answer" in person.page.text
        assert answers(served, link) == {1: wanted}


def test_the_sample_looks_like_an_item(served: Server) -> None:
    kind = instrument_of(served)
    with Person(served.address) as person:
        person.join()
        person.agree()
        person.post("/about")
        assert person.path == "/sample"
        shown = {
            "together": "Letter house postman.",
            "pairwise": "Translation B",
            "direct-assessment": "slider",
        }
        assert shown[kind] in person.page.text


def test_answers_of_every_instrument_are_exported(
    served: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = instrument_of(served)
    field, value = {
        "together": ("rating.2", "5"), "pairwise": ("preference", "3"), "direct-assessment": ("assessment", "77"),
    }[kind]  # fmt: skip
    with Person(served.address) as person:
        person.join()
        person.reach_items()
        person.post("/item/2", **{field: value}, action="review")
    assert (
        run(["survey", "export", str(served.folder), "-o", str(tmp_path / "data"), "--ratings"])
        == 0
    )
    capsys.readouterr()
    name = {
        "together": "ratings_rating",
        "pairwise": "pairs",
        "direct-assessment": "ratings_assessment",
    }[kind]
    assert (tmp_path / "data" / f"{name}.csv").stat().st_size > 30
    judgments = (tmp_path / "data" / "judgments.csv").read_text(encoding="utf-8")
    assert f",{value}," in judgments
