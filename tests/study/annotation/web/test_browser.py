"""Annotators with a real browser: mouse, keyboard, a phone, two tabs, a lost connection, adjudication."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.docs.pages import ROOT
from tests.study import browsing
from tests.study.annotation.drawing import draw
from tests.study.annotation.serving import Annotated, annotated
from tests.thorough import tried

pytestmark = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
PATIENCE = 30_000  # milliseconds, far beyond what anything needs
SOURCE = ["I read a book .", "We met at the station .", "The boat is old ."]
TARGET = ["私 は 本 を 読み ます 。", "私たち は 駅 で 会い まし た 。", "その 船 は 古い です 。"]
PROPOSED = ["0-0 3-2 1-6", "0-0 4-2 5-7", "1-1"]  # of the first, the last is wrong
PEOPLE = ("Mouse", "Keys", "Finger", "Writer", "Tabs", "Lost", "Ann", "Bo")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Annotated]:
    """Serve one project for all tests of the module; every test has an annotator of its own."""
    folder = tmp_path_factory.mktemp("annotate")
    with annotated(folder, SOURCE, TARGET, links=PROPOSED, annotators=PEOPLE) as served:
        yield served


@pytest.fixture(scope="module")
def one_desk(chromium: Browser) -> Iterator[BrowserContext]:
    # The checker is a script of its own, which the policy of the pages would rightly refuse.
    context = chromium.new_context(viewport={"width": 1100, "height": 800}, bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def desk(one_desk: BrowserContext) -> Iterator[BrowserContext]:
    """Share the browser's store of scripts, and nothing else: the next test finds nobody's traces."""
    yield one_desk
    for page in one_desk.pages:
        page.evaluate("localStorage.clear()")
        page.close()
    one_desk.clear_cookies()


def opened(context: BrowserContext, site: Annotated, person: str, path: str) -> Page:
    """Open a page of somebody, ready to use."""
    context.request.get(site.links[person])  # the visit is the browser's, too, without a page drawn
    page = context.new_page()
    page.goto(site.address + path)
    expect(page.locator("body[data-ready]")).to_be_attached()
    return page


def word(page: Page, side: str, number: int) -> Locator:
    """Return a word of the board; words count from 1, as the page does."""
    return page.locator(f"#board .{side} .word").nth(number - 1)


def shown(page: Page) -> dict[str, str]:
    """Return the lines of the board: pairs from 0, and how they are drawn."""
    found = {}
    for line in page.locator("#board g.link").all():
        kinds = set((line.get_attribute("class") or "").split())
        (kind,) = kinds & {"sure", "possible", "proposed"}
        for pair in (line.get_attribute("data-links") or "").split():
            found[pair] = kind
    return found


def stored(page: Page, number: int) -> dict[str, Any]:
    """Return what the server has of a sentence."""
    text = page.context.request.get(re.sub(r"/\d+$", f"/{number}", page.url)).text()
    data = re.search(r'id="sentence-data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    found: dict[str, Any] = json.loads(data[1])
    return found


def pairs(data: dict[str, Any]) -> dict[str, str]:
    return {
        f"{link['source']}-{link['target']}": "proposed"
        if link["proposed"]
        else ("sure" if link["sure"] else "possible")
        for link in data["links"]
    }


def saved(page: Page) -> None:
    expect(page.locator("#status")).to_have_text("Saved.")


def test_a_sentence_with_the_mouse(desk: BrowserContext, site: Annotated) -> None:
    page = desk.new_page()
    problems: list[str] = []
    elsewhere: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on(
        "request",
        lambda sent: None if sent.url.startswith(site.address) else elsewhere.append(sent.url),
    )
    page.goto(site.links["Mouse"])
    page.get_by_role("link", name="Begin: sentence 1").click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert shown(page) == {"0-0": "proposed", "3-2": "proposed", "1-6": "proposed"}
    page.get_by_role("button", name="Done, next open").click()
    expect(page.locator("#note")).to_contain_text("3 proposals are still open")
    # A wrong proposal is chosen by its line, and removed; the others are accepted.
    page.locator('#board g[data-links="1-6"] .hit').click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Accept all").click()
    # Two clicks, a drag, and Alt for a link that is only possible.
    word(page, "source", 1).click()
    word(page, "target", 2).click()
    word(page, "source", 4).drag_to(word(page, "target", 4))
    word(page, "source", 3).click()
    word(page, "target", 3).click(modifiers=["Alt"])
    # Several words become a group, which is drawn with one knot.
    word(page, "source", 2).click()
    word(page, "source", 5).click(modifiers=["Control"])
    word(page, "target", 5).click(modifiers=["Control"])
    word(page, "target", 6).click(modifiers=["Control"])
    page.get_by_role("button", name="Link group").click()
    expect(page.locator("#board .knot")).to_have_count(1)
    drawn = {"0-0", "0-1", "3-2", "3-3", "1-4", "1-5", "4-4", "4-5"}
    assert shown(page) == dict.fromkeys(drawn, "sure") | {"2-2": "possible"}
    expect(page.locator("#reordering")).to_have_text(re.compile(r"I\s+a\s+book\s+read\s+\."))
    # The same two words again part them.
    word(page, "source", 3).click()
    word(page, "target", 3).click()
    saved(page)
    page.get_by_role("button", name="Done, next open").click()
    page.wait_for_url("**/sentence/2")
    kept = stored(page, 1)
    assert (kept["state"], pairs(kept)) == ("done", dict.fromkeys(drawn, "sure"))
    assert 0 < kept["seconds"] < 600
    page.goto(f"{site.address}/sentences")
    expect(page.get_by_text("1 of 3 done")).to_be_visible()
    page.get_by_label("done", exact=True).check()
    expect(page.locator(".sentences > li:visible")).to_have_count(1)
    page.get_by_role("link", name="Continue where you stopped: sentence 2").click()
    page.wait_for_url("**/sentence/2")
    assert (problems, elsewhere) == ([], [])


_TOO_LARGE = """async () => {
    const { Matrix } = await import("/static/matrix.js");
    const { get } = Object.getOwnPropertyDescriptor(Matrix.prototype, "isTooLarge");
    const isLarge = (words) => get.call({ alignment: { source: Array(words), target: Array(words) } });
    return [isLarge(80), isLarge(81)];
}"""


def spoken(page: Page) -> str:
    """Return what is said of the element in focus."""
    name: str = page.evaluate(
        "[...document.activeElement.childNodes]"
        ".filter(node => !node.ariaHidden).map(node => node.textContent).join('').trim()"
    )
    return name


def test_a_sentence_with_the_keyboard_only(desk: BrowserContext, site: Annotated) -> None:
    page = opened(desk, site, "Keys", "/sentence/1")
    press = page.keyboard.press
    press("w")
    assert spoken(page) == "1 I, linked to 1 私, sure, proposed"
    press("Shift+a")
    expect(page.locator("#said")).to_have_text("3 proposals accepted.")
    press("ArrowRight")
    press("Delete")
    expect(word(page, "source", 2)).to_have_text(re.compile("read, not linked, see findings"))
    press("Enter")
    press("Tab")
    press("End")
    press("ArrowLeft")
    press("Enter")
    expect(page.locator("#said")).to_have_text("Linked 2 read with 6 ます, sure.")
    press("p")
    assert "6 ます, linked to 2 read, possible" in spoken(page)
    press("Control+Space")
    press("ArrowLeft")
    press("Control+Space")
    press("Shift+Tab")
    press("Control+Space")
    press("g")
    drawn = dict.fromkeys(("0-0", "3-2", "1-4", "1-5"), "sure")
    assert shown(page) == drawn
    page.get_by_role("button", name="Done, next open").focus()
    press("Control+Space")  # meant for a word, it does not say that the sentence is done
    press("w")
    press("Control+z")
    assert shown(page)["1-5"] == "possible"
    press("Control+Shift+z")
    press("d")
    page.wait_for_url("**/sentence/2")
    kept = stored(page, 1)
    assert (kept["state"], pairs(kept)) == ("done", drawn)
    # The table of pairs has the same keys.
    expect(page.locator("body[data-ready]")).to_be_attached()
    press("v")
    press("w")
    for key in ("ArrowRight", "Enter", "Enter"):
        press(key)
    saved(page)
    assert pairs(stored(page, 2))["0-1"] == "possible"
    assert page.evaluate(_TOO_LARGE) == [False, True], "a table of too many pairs is refused"


def test_keys_of_one_character_are_letters_in_text_and_can_be_switched_off(
    desk: BrowserContext, site: Annotated
) -> None:
    page = opened(desk, site, "Tabs", "/sentence/2")
    press = page.keyboard.press
    press("c")
    page.keyboard.type("dXA done?")
    press("Tab")
    press("b")
    press("?")
    table = [row.inner_text().split("\t") for row in page.locator("#shortcuts tbody tr").all()]
    guide = (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8")
    keys = guide.partition("## Keyboard")[2].partition("\n## ")[0]
    assert table == [
        list(row) for row in re.findall(r"^\| `(.+?)` \| (.+?) \|$", keys, re.MULTILINE)
    ]
    expect(page.get_by_label("Single-key shortcuts")).to_be_focused()
    press("Space")
    press("Escape")
    press("Shift+x")
    assert len(shown(page)) == 3, "they are off"
    while "Help" not in spoken(page):
        press("Shift+Tab")
    press("Enter")
    press("Space")
    press("Escape")
    press("Shift+x")
    assert shown(page) == {}, "they are on again"
    saved(page)
    kept = stored(page, 2)
    assert (kept["state"], kept["bookmark"], kept["comment"]) == ("begun", True, "dXA done?")


def test_a_sentence_on_a_phone(chromium: Browser, site: Annotated) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    context.set_default_timeout(PATIENCE)
    page = opened(context, site, "Finger", "/sentence/2")
    expect(page.locator("#board")).to_have_attribute("data-layout", "lists")
    for target in page.locator("#board .word, .toolbar button, .last button").all():
        size = target.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.get_by_role("button", name="Accept all").tap()
    word(page, "source", 1).tap()
    word(page, "target", 2).tap()
    assert word(page, "source", 1).locator(".partners").inner_text() == "1 2"
    word(page, "source", 3).tap()
    word(page, "target", 4).tap()
    word(page, "source", 3).tap()
    page.get_by_role("button", name="Sure / possible").tap()
    assert word(page, "target", 4).locator(".partners").inner_text() == "3?"
    word(page, "source", 3).tap()
    page.get_by_role("button", name="Pick several").tap()
    for side, number in (("source", 2), ("target", 5), ("target", 6), ("target", 7)):
        word(page, side, number).tap()
    page.get_by_role("button", name="Link group").tap()
    page.get_by_role("button", name="Done, next open").tap()
    page.wait_for_url("**/sentence/3")
    sure = ("0-0", "0-1", "1-4", "1-5", "1-6", "4-2", "5-7")
    assert pairs(stored(page, 2)) == dict.fromkeys(sure, "sure") | {"2-3": "possible"}
    context.close()


def test_what_is_typed_carries_links_changes_findings_and_can_be_undone(
    desk: BrowserContext, site: Annotated
) -> None:
    page = opened(desk, site, "Writer", "/sentence/1")
    page.keyboard.press("Shift+a")
    findings = page.locator("#findings")
    expect(findings).not_to_contain_text("6 新しい")
    page.locator("#translation").fill("私 は 新しい 本 を 読み ます 。")
    expect(findings).to_contain_text("3 新しい")
    expect(word(page, "target", 3)).to_have_class(re.compile("found"))
    assert shown(page) == dict.fromkeys(("0-0", "3-3", "1-7"), "sure")
    word(page, "source", 3).click()
    word(page, "target", 3).click()
    expect(findings).not_to_contain_text("3 新しい")
    # A word that goes takes its link with it.
    page.locator("#translation").fill("私 は 新しい を 読み ます 。")
    expect(page.locator("#note")).to_contain_text("1 link was removed")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#translation")).to_have_value("私 は 新しい 本 を 読み ます 。")
    assert shown(page) == dict.fromkeys(("0-0", "3-3", "1-7", "2-2"), "sure")
    saved(page)
    assert stored(page, 1)["translation"] == "私 は 新しい 本 を 読み ます 。"
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("#translation")).to_have_value(TARGET[0])
    assert shown(page) == dict.fromkeys(("0-0", "3-2", "1-6"), "proposed")
    for _ in range(4):
        page.get_by_role("button", name="Redo").click()
    saved(page)
    assert stored(page, 1)["translation"] == "私 は 新しい を 読み ます 。"


def test_typing_that_costs_links_is_undone_by_itself_and_a_word_that_comes_back_has_its_links(
    desk: BrowserContext, site: Annotated
) -> None:
    page = opened(desk, site, "Writer", "/sentence/2")
    text = page.locator("#translation")
    text.fill("私たち は 駅 で 会う 。")
    expect(page.locator('#board g[data-links="5-5"]')).to_be_attached()
    text.fill("私たち は で 会う 。")
    expect(page.locator("#note")).to_contain_text("1 link was removed")
    text.fill("私たち は で 駅 会う 。")
    expect(page.locator("#note")).to_have_text("1 link came back with the word.")
    assert shown(page) == dict.fromkeys(("0-0", "4-3", "5-5"), "proposed")
    for expected in ("私たち は で 会う 。", "私たち は 駅 で 会う 。", TARGET[1]):
        page.get_by_role("button", name="Undo").click()
        expect(text).to_have_value(expected)
    assert shown(page) == dict.fromkeys(("0-0", "4-2", "5-7"), "proposed")


def test_of_two_tabs_a_person_says_which_one_holds(desk: BrowserContext, site: Annotated) -> None:
    first = opened(desk, site, "Tabs", "/sentence/1")
    second = opened(desk, site, "Tabs", "/sentence/1")
    word(first, "source", 3).click()
    word(first, "target", 4).click()
    saved(first)
    word(second, "source", 5).click()
    word(second, "target", 7).click()
    choice = second.get_by_role("dialog", name="This sentence was changed elsewhere")
    second.keyboard.press("Enter")  # whoever just links by keyboard answers nothing
    expect(choice.locator("#mine li")).to_have_text([". \u2013 。, sure"])
    expect(choice.locator("#stored li")).to_have_text(["a \u2013 を, sure"])
    assert Axe().run(second).response["violations"] == []
    second.get_by_role("button", name="Keep this version").click()
    saved(second)
    assert {"2-3", "4-6"} & pairs(stored(second, 1)).keys() == {"4-6"}
    # The first tab is behind now, and takes what is stored.
    word(first, "source", 3).click()
    word(first, "target", 5).click()
    first.get_by_role("button", name="Use the stored version").click()
    expect(first.locator('#board g[data-links="4-6"]')).to_be_attached()
    saved(first)
    assert {"2-3", "2-4", "4-6"} & pairs(stored(first, 1)).keys() == {"4-6"}


def test_a_lost_connection_loses_nothing(desk: BrowserContext, site: Annotated) -> None:
    page = opened(desk, site, "Lost", "/sentence/1")
    desk.set_offline(True)
    word(page, "source", 5).click()
    word(page, "target", 7).click()
    page.locator("#translation").fill("私 は 本 を 読み ます よ 。")
    expect(page.locator("#status")).to_contain_text("Not saved: the server does not answer")
    page.close()
    desk.set_offline(False)
    page = opened(desk, site, "Lost", "/sentence/1")
    expect(page.locator("#translation")).to_have_value("私 は 本 を 読み ます よ 。")
    saved(page)
    kept = stored(page, 1)
    assert kept["translation"] == "私 は 本 を 読み ます よ 。"
    assert pairs(kept)["4-7"] == "sure", "carried with its word"
    page.reload()
    expect(page.locator("#status")).to_be_empty()


_SECONDS = """async () => {
    const { Clock } = await import("/static/clock.js");
    let now = 0, isHidden = false;
    performance.now = () => 1000 * now;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    const clock = new Clock();
    const at = (second, hidden) => {
        now = second;
        isHidden = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
        return clock.seconds;
    };
    const seen = [at(10, true), at(70, false), at(75, false), (now = 1000, clock.take())];
    now = 1001;
    dispatchEvent(new KeyboardEvent("keydown"));
    now = 1003;
    clock.giveBack(1);
    return [...seen, clock.take(), clock.take()];
}"""


def test_time_counts_while_the_page_is_seen_and_somebody_works(
    desk: BrowserContext, site: Annotated
) -> None:
    page = desk.new_page()
    page.goto(site.links["Ann"])
    # Hidden from 10 to 70, idle from 75 on, of which two minutes count; then two seconds and one given back.
    assert page.evaluate(_SECONDS) == [10, 10, 15, 135, 3, 0]


_ORDER = """async () => {
    const { showReordering } = await import("/static/beside.js");
    const line = document.createElement("p");
    document.body.append(line);
    const words = ["الولد", "يقرأ", "كتابا"];
    showReordering(line, { order: [1, 0, 2], words, tied: [[0, 2]], unlinked: [1] }, "ar");
    return [...line.querySelectorAll("bdi")].map(word => word.getBoundingClientRect().left);
}"""


def test_source_words_from_right_to_left_are_reordered_from_right_to_left(
    desk: BrowserContext, site: Annotated
) -> None:
    page = desk.new_page()
    page.goto(site.links["Ann"])
    places = page.evaluate(_ORDER)
    assert places == sorted(places, reverse=True)
    assert len(set(places)) == 3


@pytest.fixture(scope="module")
def disputed(site: Annotated) -> None:
    """Let two annotators differ about the third sentence."""
    draw(site, "Ann", 3, TARGET[2], "0-0 1-1 1-2 2-4 3-3 4-5")
    draw(site, "Bo", 3, TARGET[2], "0-0 1-1 2-4? 3-3 4-5")


_LINES_MEET_WORDS = """() => [...document.querySelectorAll(".annotator .board")].every(board => {
    const [x, y] = ["left", "top"].map(edge => board.querySelector("svg").getBoundingClientRect()[edge]);
    const words = [...board.querySelectorAll(".target .word")].map(word => word.getBoundingClientRect());
    return [...board.querySelectorAll("path.line")].every(line => {
        const end = line.getPointAtLength(line.getTotalLength());
        return words.some(word => end.x + x > word.left - 2 && end.x + x < word.right + 2
            && end.y + y > word.top - 2 && end.y + y < word.bottom + 2);
    });
})"""


@pytest.mark.usefixtures("disputed")
def test_an_adjudicator_sees_differences_and_decides(desk: BrowserContext, site: Annotated) -> None:
    page = opened(desk, site, "Judge", "/adjudicate/3")
    listed = desk.request.get(f"{site.address}/adjudicate").text()
    assert f"2 of {len(PEOPLE)} annotators done" in listed
    assert "No open sentence has been finished by all of its annotators yet" in listed
    expect(page.locator("#annotators .annotator")).to_have_count(2)
    rows = page.locator("#differences tbody tr")
    assert [row.inner_text().split("\t")[:4] for row in rows.all()] == [
        ["2 boat", "3 は", "only Ann", "no link"],
        ["3 is", "5 です", "sure or possible", "possible"],
    ]
    # Lines follow their words when the window is resized.
    for width in (300, 500, 1000):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(_LINES_MEET_WORDS)
    page.get_by_role("button", name="Take Ann: sure").first.click()
    assert shown(page)["1-2"] == "sure"
    page.get_by_role("button", name="Take all of Bo").click()
    assert "1-2" not in shown(page)
    page.get_by_role("button", name="Undo").click()
    assert shown(page)["1-2"] == "sure"
    page.get_by_role("button", name="Take Ann: sure").nth(1).click()
    page.get_by_role("button", name="Done, next open").click()
    page.wait_for_url("**/adjudicate/1")
    decided = dict.fromkeys(("0-0", "1-1", "1-2", "2-4", "3-3", "4-5"), "sure")
    assert pairs(stored(page, 3)) == decided
    page.goto(f"{site.address}/agreement")
    row = page.get_by_role("row", name=re.compile("^Ann Bo"))
    assert row.get_by_role("cell").all_inner_texts()[1:3] == ["1", "1"]


def problems_of(page: Page) -> list[str]:
    """Return what a checker of accessibility finds wrong with a page, and whether it is too wide."""
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return [*found, *(["too wide"] if wide else [])]


WIDTHS = (360, 800, 1100, 1600)
ENDS = (360, 1100)


@pytest.mark.usefixtures("disputed")
def test_no_page_is_too_wide_or_hard_to_reach_for_anybody(
    desk: BrowserContext, site: Annotated
) -> None:
    found: dict[tuple[str, int], list[str]] = {}

    def check(page: Page, name: str, widths: Sequence[int]) -> None:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            found[name, width] = problems_of(page)

    page = opened(desk, site, "Ann", "/sentence/1")
    check(page, "editor", tried(WIDTHS, quick=ENDS))
    page.locator("#guidelines summary").click()
    expect(page.locator("#guideline-text .board svg path").first).to_be_attached()
    page.get_by_role("button", name="Table").click()
    page.emulate_media(color_scheme="dark")
    check(page, "table, guideline, dark", tried(WIDTHS, quick=ENDS[:1]))
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Help").click()
    check(page, "help", tried(WIDTHS, quick=ENDS[:1]))
    for path in ("sentences", "guidelines/en-de"):
        page.goto(f"{site.address}/{path}")
        check(page, path, tried(WIDTHS, quick=ENDS[:1]))
    desk.clear_cookies()
    page = opened(desk, site, "Judge", "/adjudicate/3")
    check(page, "adjudicate", tried(WIDTHS, quick=ENDS))
    page.goto(f"{site.address}/agreement")
    check(page, "agreement", tried(WIDTHS, quick=ENDS[:1]))
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_without_scripts_the_page_says_what_it_needs(chromium: Browser, site: Annotated) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.links["Ann"])
    page.goto(f"{site.address}/sentence/1")
    expect(page.get_by_text("this page needs JavaScript")).to_be_visible()
    expect(page.get_by_text(SOURCE[0])).to_be_visible()
    context.close()
