"""A report in a real browser: sort, filter, open, keyboard, dark, print, hostile texts, ten systems."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    expect,
)
from playwright.sync_api import (
    TimeoutError as TooLate,
)

import kilter
from kilter.core.estimate import p_text
from kilter.render.page import report_page
from kilter.render.page.system_report import SystemReport
from kilter.results.explanation import ErrorGrouping, ErrorKind
from kilter.results.reported_systems import WordGrouping
from kilter.results.verdict import claim, overview
from kilter.run.demo import sample_texts
from kilter.run.explanation.live_report import LivePage, serving
from tests.render.page.reported import FEW, sample_report, small_report
from tests.study import browsing
from tests.thorough import some, tried

pytestmark = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
PATIENCE = 10_000  # milliseconds, far beyond what anything needs

expect.set_options(timeout=30_000)  # far beyond what a page needs, also on a busy machine


@pytest.fixture(scope="module")
def report() -> SystemReport:
    return sample_report()


@pytest.fixture(scope="module")
def path(report: SystemReport, tmp_path_factory: pytest.TempPathFactory) -> Path:
    written = tmp_path_factory.mktemp("report") / "report.html"
    report.write(written)
    return written


class Tab:
    """A tab in which pages from disk are opened, and everything that they complained about or asked for."""

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        self._opened = 0
        context.set_default_timeout(PATIENCE)
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self.problems.append(said.text))
        self.page.on("request", lambda asked: self._asked(asked.url))

    def open(self, path: Path) -> Page:
        """Return the page at a path as somebody finds it who never saw it."""
        # At an address of its own, because a browser fills in again what was typed at the same one.
        self._opened += 1
        self.page.goto(f"{path.as_uri()}?{self._opened}")
        expect(self.page.locator("html[data-ready]")).to_have_count(1)
        return self.page

    def _asked(self, address: str) -> None:
        if not address.startswith(("file:", "data:")):
            self.problems.append(f"asked for {address}")


@pytest.fixture(scope="module")
def only_tab(chromium: Browser) -> Iterator[Tab]:
    context = chromium.new_context(locale="en", viewport={"width": 1280, "height": 900})
    yield Tab(context)
    context.close()


@pytest.fixture
def tab(only_tab: Tab) -> Iterator[Tab]:
    """Return the tab of all tests that leave nothing behind but the page they opened."""
    only_tab.problems.clear()
    yield only_tab
    assert only_tab.problems == []


@pytest.fixture
def page(tab: Tab, path: Path) -> Page:
    return tab.open(path)


def script(name: str) -> str:
    """Return one of the scripts of the page, whose functions nobody else can call."""
    return (Path(report_page.__file__).parent / "static" / name).read_text(encoding="utf-8")


def numbers(page: Page) -> list[int]:
    """Return the segments that the list shows, from the top."""
    rows = page.locator("#rows [role=row]").all()
    cells = [row.get_by_role("gridcell").first.inner_text() for row in rows]
    return [int(cell) for cell in cells]


def open_segment(page: Page, segment: int) -> None:
    """Click the row of a segment until it is open: a picture drawn above may move it away once."""
    title = page.locator("#segment-title", has_text=re.compile(rf"^Segment {segment + 1}$"))
    for _ in range(4):
        page.locator(f"#row-{segment}").click()
        try:
            title.wait_for(timeout=3000)
        except TooLate:
            continue
        return
    pytest.fail(f"segment {segment + 1} does not open")


def choose_metric(page: Page, name: str) -> None:
    page.get_by_label("Metric", exact=True).select_option(label=name)


SECTIONS = (
    "summary", "systems", "ranks", "distributions", "words", "pair", "errors", "segments", "methods",
)  # fmt: skip


def see_everything(page: Page, names: tuple[str, ...] = SECTIONS) -> None:
    """Scroll through the page, so that every picture is drawn."""
    for name in names:
        page.locator(f"#{name}").scroll_into_view_if_needed()
        page.evaluate("name => document.getElementById(name).scrollIntoView()", name)
        page.wait_for_timeout(50)
    expect(page.locator("#pair canvas")).to_have_count(int("pair" in names))


def test_p_values_are_written_as_tables_write_them(page: Page) -> None:
    values = [None, 0.0, 1e-4, 0.00096, 10 / 1001, 0.01, 0.0312, 0.049998, 0.05, 1.0]
    source = script("element.js")
    found = page.evaluate(f"values => {{ {source}\nreturn values.map(probability); }}", values)
    assert found == [*map(p_text, values)]


@pytest.mark.parametrize(
    ("names", "turned"),
    [
        ([*"123456789"], False),  # one digit each, which fit side by side
        ([f"pef:beta={part}" for part in range(9)], True),
        (["kendall", "pef"], False),
        (["full:order=kendall", "pef"], True),
    ],
)
def test_names_below_a_chart_are_turned_only_where_they_do_not_fit(
    page: Page, names: list[str], *, turned: bool
) -> None:
    drawn = "lineChart('t', names, [{ series: 0, values: names.map(() => 1) }])"
    body = f"{script('element.js')}\n{script('chart.js')}\nreturn {drawn}.outerHTML;"
    assert ("rotate(" in page.evaluate(f"names => {{ {body} }}", names)) is turned


def test_every_picture_is_drawn_with_its_numbers_beside_it(
    page: Page, report: SystemReport
) -> None:
    see_everything(page)
    for name in ("intervals", "ranks-picture", "distribution", "length", "words-frequency"):
        expect(page.locator(f"#{name} svg[role=img]")).to_have_count(1)
    choose_metric(page, "kendall")
    page.locator("#distribution").scroll_into_view_if_needed()
    table = page.locator("#distribution table")
    expect(table).to_contain_text("kendall")
    for place, system in enumerate(report.systems):
        cells = table.locator("tbody tr").nth(place).locator("th, td").all_text_contents()
        counts = report.distributions["kendall"].counts[place].tolist()
        assert cells[0] == system
        assert cells[2:] == [str(count) for count in counts]


def test_the_list_is_sorted_by_any_score_and_by_difference(
    page: Page, report: SystemReport
) -> None:
    choose_metric(page, "kendall")
    page.get_by_label("First system").select_option(label="phrase")
    page.get_by_label("Second system").select_option(label="local")
    first, second = (report.scores["kendall", name] for name in ("phrase", "local"))
    headers = page.locator("#grid [role=columnheader]")
    headers.get_by_role("button", name="first").click()
    expect(headers.nth(2)).to_have_attribute("aria-sort", "ascending")
    order = sorted(range(48), key=lambda segment: (first[segment], segment))
    assert numbers(page)[:6] == [segment + 1 for segment in order[:6]]
    headers.get_by_role("button", name="difference").click()
    expect(headers.nth(4)).to_have_attribute("aria-sort", "descending")
    order = sorted(range(48), key=lambda segment: (first[segment] - second[segment], segment))
    assert numbers(page)[:6] == [segment + 1 for segment in order[:6]]
    headers.get_by_role("button", name="difference").click()
    expect(headers.nth(4)).to_have_attribute("aria-sort", "ascending")
    page.get_by_label("Sort by").select_option(value="length")
    lengths = report.corpus.references[0].tokens.lengths
    order = sorted(range(48), key=lambda segment: (-lengths[segment], segment))
    assert numbers(page)[:6] == [segment + 1 for segment in order[:6]]


@pytest.mark.parametrize("turned", some([False, True], quick=[True]))
def test_two_systems_are_told_by_their_resamples(
    page: Page, report: SystemReport, *, turned: bool
) -> None:
    names = ("phrase", "verb") if turned else ("verb", "phrase")
    choose_metric(page, "kendall")
    page.get_by_label("First system").select_option(label=names[0])
    page.get_by_label("Second system").select_option(label=names[1])
    page.evaluate("document.getElementById('pair').scrollIntoView()")
    pair = next(each for each in report.comparison.metrics if each.name == "kendall").pair(
        "verb", "phrase"
    )
    assert pair is not None
    assert pair.share is not None
    assert pair.effect.standardised is not None
    effect = -pair.effect.standardised if turned else pair.effect.standardised
    shown = page.locator("#pair-told")
    expect(shown).to_contain_text(
        f"phrase is better than verb in {100 * pair.share:.1f}% of 20 resamples"
    )
    expect(shown).to_contain_text(f"{effect:+.2f}.".replace("-", "\u2212"))


@pytest.mark.parametrize("turned", [False, True])
def test_segments_are_also_counted_as_compare_does_where_that_differs(
    tab: Tab, tmp_path: Path, *, turned: bool
) -> None:
    # The order of one is wrong, and the words of the other: in version 2 segments weigh order less than systems do.
    right = ["the old cat saw a small grey mouse near the river"] * 4
    moved = ["near the river a small grey mouse saw the old cat"] * 4
    lost = ["the old cat saw a small grey thing near the water"] * 4
    systems = {"moved": moved, "lost": lost}
    made = kilter.report(systems, right, metrics=["kilter:weights=2", "kendall"], resampling=FEW)
    made.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    names = ("lost", "moved") if turned else ("moved", "lost")
    page.get_by_label("First system").select_option(label=names[0])
    page.get_by_label("Second system").select_option(label=names[1])
    shown = page.locator("#differences-picture figcaption")
    for metric in made.comparison.metrics:
        choose_metric(page, metric.name)
        page.evaluate("document.getElementById('pair').scrollIntoView()")
        pair = metric.pair("moved", "lost")
        assert pair is not None
        one, other = pair.effect.better, pair.effect.worse
        better, worse = (other, one) if turned else (one, other)
        expect(shown).to_contain_text(f"in {metric.name}, a value for each segment")
        expect(shown).to_contain_text(
            f"better on {better} segments, equal on {pair.effect.equal}, worse on {worse}."
        )
        assert ("With system-level weights" in shown.inner_text()) == (metric.name != "kendall")


def listed(page: Page) -> list[int]:
    """Return the segments that the list holds after a door was passed, at most as many as are drawn."""
    expect(page.locator("#only")).to_contain_text("Only segments")
    expect(page.locator("#filters")).to_be_in_viewport()
    return numbers(page)


def test_scores_are_sorted_by_any_column(page: Page, report: SystemReport) -> None:
    table = page.locator("#scores")
    values = [each.value or 0.0 for each in report.comparison.metrics[0].intervals]
    ranked = sorted(report.systems, key=lambda name: -values[report.systems.index(name)])
    button = table.get_by_role("button", name="bleu", exact=True)
    head = table.locator("thead th").nth(1)
    button.click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(table.locator("tbody th bdi")).to_have_text(ranked)
    button.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(table.locator("tbody th bdi")).to_have_text(ranked[::-1])
    table.get_by_role("button", name="system").click()
    expect(table.locator("tbody th bdi")).to_have_text(sorted(report.systems))
    # The baseline has no difference from itself, which is last either way.
    for _ in range(2):
        table.get_by_role("button", name="difference").click()
        expect(table.locator("tbody th bdi").last).to_have_text(report.comparison.baseline)


def test_errors_that_differ_most_have_an_example_each(page: Page, report: SystemReport) -> None:
    page.get_by_label("First system").select_option(label="local")
    page.get_by_label("Second system").select_option(label="phrase")
    cards = page.locator("#differing article")
    counts = {name: report.error_counts[report.systems.index(name)] for name in ("local", "phrase")}
    apart = [int(n) for n in abs(counts["local"] - counts["phrase"])]
    expect(cards).to_have_count(min(3, sum(map(bool, apart))))
    kind = apart.index(max(apart))
    more, fewer = sorted(("local", "phrase"), key=lambda name: -counts[name][kind])
    expect(cards.first.locator("h4")).to_contain_text(
        f": {counts[more][kind]} against {counts[fewer][kind]}"
    )
    expect(cards.first.locator(".links .row").first).to_be_visible()
    expect(cards.first.locator(".links path").first).to_be_attached()
    cards.first.get_by_role("button", name="List all").click()
    errors = report.errors[report.systems.index(more)]
    wanted = [
        n + 1
        for n, segment in enumerate(errors)
        if any([*ErrorKind].index(error.kind) == kind for error in segment.errors)
    ]
    assert listed(page)[:5] == wanted[:5]
    expect(page.get_by_role("status")).to_contain_text(f"{len(wanted)} segment")
    page.get_by_role("button", name="Show all segments").click()
    expect(page.get_by_role("status")).to_have_text("48 segments of 48")
    expect(page.locator("#only")).to_be_empty()


def test_the_example_of_a_difference_opens(page: Page) -> None:
    button = page.locator("#differing button", has_text="Open segment").first
    segment = button.inner_text().removeprefix("Open segment ")
    button.click()
    expect(page.get_by_role("heading", name=f"Segment {segment}", exact=True)).to_be_visible()
    expect(page.locator("#segment-title")).to_be_in_viewport()


def test_a_point_of_a_line_lists_its_segments(page: Page, report: SystemReport) -> None:
    page.locator("#length").scroll_into_view_if_needed()
    point = page.locator("#length .door").first
    expect(point).to_contain_text(f"segments whose reference has {report.lengths.labels[0]} words")
    point.click()
    lengths = report.corpus.references[0].tokens.lengths
    assert listed(page)[:5] == [n + 1 for n, length in enumerate(lengths) if length <= 9][:5]


def test_segments_on_which_a_system_is_better_are_listed(page: Page, report: SystemReport) -> None:
    choose_metric(page, "kendall")
    page.get_by_label("First system").select_option(label="local")
    page.get_by_label("Second system").select_option(label="phrase")
    page.locator("#pair").scroll_into_view_if_needed()
    local, phrase = (report.scores["kendall", name] for name in ("local", "phrase"))
    for turn, wanted in enumerate((phrase > local, phrase == local, phrase < local)):
        button = page.locator("#differences-picture figcaption button").nth(turn)
        expect(button).to_contain_text(str(int(wanted.sum())))
        button.click()
        expect(page.get_by_role("status")).to_contain_text(f"{int(wanted.sum())} segment")
        assert listed(page)[:5] == [n + 1 for n in range(48) if wanted[n]][:5]


def test_the_verdicts_have_words_first_and_numbers_folded(page: Page, report: SystemReport) -> None:
    verdict = page.locator(".verdict")
    for system in report.systems[1:]:
        expect(verdict.locator("li", has_text=system)).to_contain_text(
            claim(report.comparison, system)
        )
    expect(verdict.locator("details p").first).to_be_hidden()
    verdict.locator("summary").click()
    expect(verdict.locator("details p")).to_have_text(overview(report.comparison))
    expect(verdict.locator("details p").first).to_be_visible()


def test_the_slash_brings_the_filters_into_view(page: Page) -> None:
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("/")
    words = page.get_by_label("Search", exact=True)
    expect(words).to_be_focused()
    expect(words).to_be_in_viewport()
    page.wait_for_timeout(300)  # pictures above that were drawn late would move it away again
    expect(words).to_be_in_viewport()


def test_a_bar_and_its_number_list_the_same_segments(page: Page, report: SystemReport) -> None:
    choose_metric(page, "kendall")
    page.locator("#distributions").scroll_into_view_if_needed()
    found = report.distributions["kendall"]
    scores = report.scores["kendall", "local"]
    bucket = int(found.counts[0].argmax())
    table = page.locator("#distribution table")
    expect(table).to_contain_text("kendall")
    low, high = found.edges[bucket], found.edges[bucket + 1]
    last = bucket == len(found.edges) - 2
    wanted = [
        n + 1 for n, score in enumerate(scores) if low <= score < high or (last and score == high)
    ]
    page.locator("#distribution summary").click()
    cell = table.locator("tbody tr").first.locator("td").nth(1 + bucket)
    expect(cell).to_have_text(str(len(wanted)))
    cell.get_by_role("button").click()
    assert listed(page)[:5] == wanted[:5]
    expect(page.get_by_role("status")).to_contain_text(f"{len(wanted)} segment")
    page.get_by_role("button", name="Show all segments").click()
    bars = page.locator("#distribution svg .door")
    bars.nth(int((found.counts[0][:bucket] > 0).sum())).click()
    assert listed(page)[:5] == wanted[:5]


def test_lengths_words_ngrams_and_errors_lead_to_their_segments(
    page: Page, report: SystemReport
) -> None:
    see_everything(page)
    reference, local = report.corpus.references[0], report.corpus.systems[0]
    lengths = reference.tokens.lengths

    def through(name: str, *, row: int | None = None, column: int = 0) -> list[int]:
        """Return the segments behind a button of a table: of a heading, or of a row."""
        place = page.locator(name)
        place.scroll_into_view_if_needed()
        folded = place.locator("summary")
        if folded.count() and not place.locator("table").first.is_visible():
            folded.first.click()
        table = place.locator("table").first
        within = table.locator("thead") if row is None else table.locator("tbody tr").nth(row)
        within.get_by_role("button").nth(column).click()
        return listed(page)

    bucket = next(place for place, count in enumerate(report.lengths.counts) if count)
    assert report.lengths.labels[bucket] == "0 to 9"
    wanted = [n + 1 for n, length in enumerate(lengths) if length <= 9]
    assert through("#length")[:5] == wanted[:5]
    differences = report.length_differences
    used = [n for n, column in enumerate(differences.counts.T) if column.any()]
    zero = used.index(differences.labels.index("0"))
    same = [n + 1 for n in range(48) if lengths[n] == local.tokens.lengths[n]]
    assert through("#length-difference", row=0, column=zero)[:5] == same[:5]
    words = report.corpus.vocabulary.words
    texts = [
        [[words[i] for i in text.tokens.ids[a:b]] for a, b in pairwise(text.tokens.offsets)]
        for text in (reference, *report.corpus.systems)
    ]
    sizes = report.word_accuracy[WordGrouping.LETTERS]
    seen = [place for place, count in enumerate(sizes.wanted) if count]
    column = seen.index(sizes.labels.index("4"))
    lexical = report.systems.index("lexical")
    lacking = [
        n + 1
        for n in range(48)
        if any(
            len(word) == 4 and texts[0][n][: at + 1].count(word) > texts[1 + lexical][n].count(word)
            for at, word in enumerate(texts[0][n])
        )
    ]
    assert lacking
    assert through("#words-letters", row=lexical, column=column)[:5] == lacking[:5]
    page.get_by_label("First system").select_option(label="local")
    page.get_by_label("Second system").select_option(label="phrase")
    page.locator("#ngrams").scroll_into_view_if_needed()
    table = page.locator("#ngrams table").first
    expect(table.locator("thead")).to_contain_text("phrase")
    gram = table.locator("tbody tr").first.get_by_role("button")
    run = gram.inner_text()
    gram.click()
    pair = (texts[0], texts[1], texts[1 + report.systems.index("phrase")])
    has = [[f" {run} " in f" {' '.join(line)} " for line in text] for text in pair]
    assert (
        listed(page)[:5] == [n + 1 for n in range(48) if has[0][n] and (has[1][n] or has[2][n])][:5]
    )
    group = report.summaries[0].groups[ErrorGrouping.WORD][0].name
    found = through("#error-groups", row=0)
    wanted = [
        n + 1
        for n, segment in enumerate(report.errors[0])
        if any(texts[1][n][word].lower() == group for e in segment.errors for word in e.moved)
    ]
    assert found[:5] == wanted[:5]


def test_a_word_of_an_open_segment_lists_where_it_stands(page: Page, report: SystemReport) -> None:
    open_segment(page, 1)
    word = page.locator("#segment .sentence [data-word]").first
    text = word.inner_text()
    word.click()
    expect(page.locator("#only")).to_contain_text(f"Only segments with \u201c{text}\u201d.")
    shown = int(page.get_by_role("status").inner_text().split()[0])
    assert 1 <= shown <= report.count
    assert 2 in numbers(page) or shown > 8


def test_a_cell_of_the_matrix_leads_to_its_two_systems(page: Page) -> None:
    page.locator("#matrix").scroll_into_view_if_needed()
    title = page.locator("#matrix button").nth(1).get_attribute("title")
    assert title is not None
    first, _, second = title.removeprefix("Compare ").partition(" and ")
    page.locator("#matrix button").nth(1).click()
    for label, chosen in (("First system", first), ("Second system", second)):
        text = page.get_by_label(label, exact=True).evaluate("(e) => e.selectedOptions[0].text")
        assert text == chosen
    expect(page.locator("#pair-title")).to_be_in_viewport()


def test_the_list_is_filtered_by_words_phrases_and_length(page: Page, report: SystemReport) -> None:
    reference = [line.lower() for line in report.corpus.references[0].lines]
    lengths = report.corpus.references[0].tokens.lengths
    page.get_by_label("Look in").select_option(label="reference")
    words = page.get_by_label("Search", exact=True)
    for typed, terms in (
        ("The", ["the"]),
        ("the was", ["the", "was"]),
        ('"the city"', ["the city"]),
        ("nosuchword", ["nosuchword"]),
    ):
        words.fill(typed)
        wanted = [n + 1 for n, line in enumerate(reference) if all(term in line for term in terms)]
        expect(page.get_by_role("status")).to_have_text(
            f"{len(wanted)} segment{'' if len(wanted) == 1 else 's'} of 48"
        )
        assert numbers(page)[:5] == wanted[:5]
    words.fill("")
    page.get_by_label("Length from").fill("9")
    page.get_by_label("Length to").fill("10")
    wanted = [n + 1 for n, length in enumerate(lengths) if 9 <= length <= 10]
    expect(page.get_by_role("status")).to_have_text(f"{len(wanted)} segments of 48")
    assert numbers(page)[:5] == wanted[:5]


def test_a_segment_opens_with_texts_links_and_every_score(page: Page, report: SystemReport) -> None:
    open_segment(page, 1)
    shown = page.get_by_role("region", name="Segment 2")
    expect(shown.get_by_role("heading", name="Segment 2")).to_be_focused()
    corpus = report.corpus
    for text in (corpus.references[0], corpus.systems[0], corpus.systems[1], corpus.source):
        assert text is not None
        expect(shown.locator(".sentence").filter(has_text=text.lines[1]).first).to_be_visible()
    links = shown.locator(".links").first
    expect(links.locator("path")).to_have_count(len(report.links[0].segment(1)))
    cells = shown.locator("tbody tr").first.locator("td").all_text_contents()
    assert cells == [f"{report.scores[name, 'local'][1]:.4f}" for name in report.metrics]


def test_links_are_drawn_between_the_words_that_are_linked(
    page: Page, report: SystemReport
) -> None:
    open_segment(page, 1)
    ends = page.evaluate(
        """() => {
          const drawing = document.querySelector("#segment .links");
          const box = drawing.getBoundingClientRect();
          const rows = [...drawing.querySelectorAll(".row")].map((row) => [...row.children].map((word) => {
            const own = word.getBoundingClientRect();
            return own.left + own.width / 2 - box.left;
          }));
          const nearest = (row, x) => row.reduce((best, at, place) => Math.abs(at - x) < Math.abs(row[best] - x) ? place : best, 0);
          return [...drawing.querySelectorAll("path")].map((path) => {
            const found = /^M([\\d.]+),.* ([\\d.]+),[\\d.]+$/.exec(path.getAttribute("d"));
            return [nearest(rows[0], Number(found[1])), nearest(rows[1], Number(found[2]))];
          });
        }"""
    )
    assert [tuple(pair) for pair in ends] == report.links[0].segment(1)


def test_the_list_is_walked_opened_and_closed_with_keys(page: Page) -> None:
    page.keyboard.press("/")
    expect(page.get_by_label("Search", exact=True)).to_be_focused()
    page.keyboard.type("the")
    page.keyboard.press("ArrowDown")
    grid = page.get_by_role("grid")
    expect(grid).to_be_focused()
    shown = numbers(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(grid).to_have_attribute("aria-activedescendant", f"row-{shown[1] - 1}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Segment {shown[1]}")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#segment")).to_be_empty()
    expect(grid).to_be_focused()
    page.keyboard.press("End")
    count = int(page.get_by_role("status").inner_text().split()[0])
    expect(page.locator("#rows .active")).to_have_attribute("aria-rowindex", str(count + 1))
    page.keyboard.press("Home")
    expect(grid).to_have_attribute("aria-activedescendant", f"row-{shown[0] - 1}")


def test_a_row_painted_anew_while_the_button_is_down_opens(page: Page) -> None:
    row = page.locator("#row-1")
    row.scroll_into_view_if_needed()
    row.hover()
    page.mouse.down()
    page.locator("#grid").dispatch_event("scroll")
    page.mouse.up()
    expect(page.locator("#segment-title")).to_have_text("Segment 2")


def test_ngrams_that_only_one_of_two_systems_has_are_highlighted(tab: Tab, tmp_path: Path) -> None:
    report = small_report(right=["a b c d e"], left=["a b x d e"], other=["a b c e d"])
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    page.get_by_label("First system").select_option(label="left")
    page.get_by_label("Second system").select_option(label="other")
    open_segment(page, 0)
    page.get_by_label("Highlight n-grams of").select_option(label="1 word")
    sentences = page.locator("#segment .sentence")
    expect(sentences.nth(1).locator(".worse")).to_have_text(["x"])
    expect(sentences.nth(2).locator(".better")).to_have_text(["c"])
    page.get_by_label("Highlight n-grams of").select_option(label="2 words")
    expect(sentences.nth(1).locator(".better")).to_have_text(["d", "e"])
    expect(sentences.nth(2).locator(".worse")).to_have_text(["e", "d"])


def test_order_errors_are_filtered_sorted_and_told(page: Page, report: SystemReport) -> None:
    page.get_by_label("First system").select_option(label="phrase")
    errors = report.errors[report.systems.index("phrase")]
    kinds = [[error.kind for error in segment.errors] for segment in errors]
    for chosen, wanted in (
        ("some", [n + 1 for n, each in enumerate(kinds) if each]),
        ("none", [n + 1 for n, each in enumerate(kinds) if not each]),
        ("inversion", [n + 1 for n, each in enumerate(kinds) if ErrorKind.INVERSION in each]),
    ):
        page.get_by_label("Order errors", exact=True).last.select_option(label=chosen)
        expect(page.get_by_role("status")).to_contain_text(f"{len(wanted)} segment")
        assert numbers(page)[:5] == wanted[:5]
    page.get_by_label("Order errors", exact=True).last.select_option(label="any")
    page.get_by_label("Sort by").select_option(label="phrase errors of the first system")
    order = sorted(range(48), key=lambda n: (-kinds[n].count(ErrorKind.PHRASE), n))
    assert numbers(page)[:5] == [n + 1 for n in order[:5]]
    page.get_by_label("Sort by").select_option(label="order errors of the first system")
    order = sorted(range(48), key=lambda n: (-len(kinds[n]), n))
    assert numbers(page)[:5] == [n + 1 for n in order[:5]]
    open_segment(page, order[0])
    expect(page.locator("#segment-title")).to_have_text(f"Segment {order[0] + 1}")
    items = page.locator("#segment .errors").first.locator("li")
    expect(items).to_have_count(len(kinds[order[0]]))
    words = set(errors.segment(order[0]).errors[0].words)
    items.first.get_by_role("button").click()
    shown = page.locator("#segment .links").first.locator(".row").first.locator("span.shown")
    expect(shown).to_have_count(len(words))
    expect(items.first.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    items.first.get_by_role("button").click()
    expect(shown).to_have_count(0)


def drawn_tree(node: Locator) -> list[tuple[str, ...]]:
    """Return the words below each node of a drawn tree, from the root down."""
    found: list[list[str]] = node.evaluate(
        """(node) => [node, ...node.querySelectorAll(".node")].map((each) =>
          [...each.querySelectorAll("span")].filter((word) => !word.matches(".node, .operator")).map((word) => word.textContent))"""
    )
    return [tuple(words) for words in found]


@pytest.mark.parametrize(
    "order",
    some(
        [[1, 3, 4, 5, 0, 2], [2, 1, 0], [0, 1, 2, 3], [3, 0, 2, 1, 5, 4], [1, 3, 0, 2, 6, 4, 7, 5]],
        quick=[[3, 0, 2, 1, 5, 4]],
    ),
)
def test_the_drawn_permutation_tree_is_that_of_the_order(
    tab: Tab, tmp_path: Path, order: list[int]
) -> None:
    words = [f"w{rank}" for rank in range(len(order))]
    report = kilter.report(
        [" ".join(words[rank] for rank in order)],
        [" ".join(words)],
        metrics="kendall",
        resampling=FEW,
    )
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 0)
    page.get_by_text("Permutation tree", exact=True).click()
    shown = page.locator("#segment .tree > .node")
    tree = kilter.Permutation(order).tree()
    hypothesis = [words[rank] for rank in order]
    inner = [node for node, kind in enumerate(tree.kind.tolist()) if kind]
    wanted = [tuple(hypothesis[tree.start[node] : tree.end[node]]) for node in inner]
    assert drawn_tree(shown) == wanted
    page.get_by_text("Matrix", exact=True).click()
    expect(page.locator("#segment svg.large").locator("circle, rect")).to_have_count(len(order))


def test_dependency_trees_are_drawn_where_there_are_any(tab: Tab, tmp_path: Path) -> None:
    column = kilter.DependencyTreeColumn.of(
        [
            kilter.DependencyTree(
                ["we", "saw", "red", "houses"],
                heads=[1, -1, 3, 1],
                labels=["nsubj", "root", "amod", "obj"],
                tags=["PRON", "VERB", "ADJ", "NOUN"],
            )
        ]
    )
    line = ["we saw red houses"]
    trees = kilter.Trees(systems=(column,), references=(column,))
    report = kilter.report(line, line, trees=trees, metrics="dted", resampling=FEW)
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    expect(page.get_by_label("Misplaced tag")).to_be_visible()
    open_segment(page, 0)
    page.get_by_text("Dependency trees", exact=True).click()
    drawn = page.locator("#segment .arcs")
    expect(drawn).to_have_count(2)
    expect(drawn.first.locator("svg text")).to_have_text(["nsubj", "root", "amod", "obj"])
    expect(drawn.first).to_have_attribute(
        "aria-label",
        "Dependency tree of system: we nsubj of saw; saw root; red amod of houses; houses obj of saw",
    )


def test_segments_are_found_by_the_tags_of_misplaced_words(tab: Tab, tmp_path: Path) -> None:
    def tree(*words: str) -> kilter.DependencyTree:
        tags = {"we": "PRON", "saw": "VERB", "red": "ADJ", "houses": "NOUN"}
        return kilter.DependencyTree(
            words, heads=[1, -1, 1, 1], labels=["x"] * 4, tags=[tags[word] for word in words]
        )

    right = ("we", "saw", "red", "houses")
    made = [("we", "saw", "houses", "red"), ("we", "red", "houses", "saw"), right]
    trees = kilter.Trees(
        systems=(kilter.DependencyTreeColumn.of([tree(*words) for words in made]),),
        references=(kilter.DependencyTreeColumn.of([tree(*right)] * 3),),
    )
    report = kilter.report(
        [" ".join(words) for words in made], [" ".join(right)] * 3, trees=trees, metrics="kendall",
        resampling=FEW, tokenize="none",
    )  # fmt: skip
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    page.evaluate("document.getElementById('words').scrollIntoView()")
    expect(page.locator("#words-tag table th[scope=col]")).to_have_text(
        ["system", "ADJ (3 words)", "NOUN (3 words)", "PRON (3 words)", "VERB (3 words)"]
    )
    for tag, found in (("VERB", [2]), ("ADJ", [1]), ("PRON", []), ("any", [1, 2, 3])):
        page.get_by_label("Misplaced tag").select_option(label=tag)
        expect(page.get_by_role("status")).to_contain_text(f"{len(found)} segment")
        assert numbers(page) == found


def test_the_words_that_are_misplaced_most_are_told_of_both_systems(
    page: Page, report: SystemReport
) -> None:
    page.get_by_label("First system").select_option(label="verb")
    page.get_by_label("Second system").select_option(label="phrase")
    page.evaluate("document.getElementById('errors').scrollIntoView()")
    for name in ("verb", "phrase"):
        shown = page.get_by_role("region", name=f"Misplaced words: {name}")
        cells = shown.locator("tbody tr").first.locator("th, td")
        group = report.summaries[report.systems.index(name)].groups[ErrorGrouping.WORD][0]
        wanted = [group.name, str(group.errors), str(group.occurrences), f"{group.loss:.2f}"]
        expect(cells).to_have_text(wanted)


def test_misplaced_and_unlinked_words_are_marked_in_the_links(tab: Tab, tmp_path: Path) -> None:
    report = kilter.report(
        ["caller a b d e f g then x"],
        ["a b d e f g caller y then"],
        metrics="kendall",
        resampling=FEW,
        language="en",
    )
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 0)
    upper, lower = page.locator("#segment .links .row").all()
    expect(upper.locator(".moved")).to_have_text(["caller"])
    expect(upper.locator(".free")).to_have_text(["x"])
    expect(lower.locator(".free")).to_have_text(["y"])
    expect(page.locator("#segment .errors li")).to_contain_text(
        "belongs before \u201cthen\u201d, 6 linked words later", use_inner_text=False
    )


def test_light_and_dark_follow_the_system_until_somebody_chooses(
    chromium: Browser, path: Path
) -> None:
    context = chromium.new_context(locale="en", color_scheme="dark")
    page = Tab(context).open(path)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    button = page.get_by_role("button", name="Dark")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    light = page.evaluate(paper)
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(20, 23, 28)")
    page.emulate_media(color_scheme="light")
    button.click()
    assert page.evaluate(paper) == dark
    context.close()


def test_on_paper_there_are_pictures_and_segments_and_no_buttons(page: Page) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for name in ("intervals", "ranks-picture", "distribution", "length", "words-frequency"):
        expect(page.locator(f"#{name} svg[role=img]")).to_be_visible()
    expect(page.locator("#filters")).to_be_hidden()
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator("#rows [role=row]")).to_have_count(48)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf()[:4] == b"%PDF"
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(numbers(page)) < 48


def line_ends(page: Page) -> list[tuple[float, float]]:
    """Return for each link how far its line is from the middles of its words, across."""
    expect(page.locator("#segment .links:visible svg path").first).to_be_attached()
    found: list[tuple[float, float]] = page.evaluate("""() => {
      const drawing = [...document.querySelectorAll("#segment .links")].find((each) => each.offsetHeight);
      const rows = [...drawing.querySelectorAll(".row")].map((row) => [...row.children].map((word) => {
        const box = word.getBoundingClientRect();
        return box.left + box.width / 2;
      }));
      const near = (x, row) => Math.min(...row.map((middle) => Math.abs(middle - x)));
      return [...drawing.querySelectorAll("svg path")].map((path) => {
        const ends = [0, path.getTotalLength()].map((at) => path.getPointAtLength(at).matrixTransform(path.getScreenCTM()).x);
        return ends.map((x, side) => near(x, rows[side]));
      });
    }""")
    return found


LONG = " ".join(f"word{n}" for n in range(40))
LONG_TURNED = " ".join(["word39", *(f"word{n}" for n in range(39))])


def test_on_paper_lines_end_at_their_words_and_fit_the_paper(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    kilter.report([LONG_TURNED] * 3, [LONG] * 3, metrics=["kendall"], resampling=FEW).write(path)
    page = tab.open(path)
    page.set_viewport_size({"width": 700, "height": 900})
    open_segment(page, 0)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    ends = line_ends(page)
    assert len(ends) == 40
    assert max(max(each) for each in ends) < 1
    words = page.locator("#segment .links .row span")
    rights = words.evaluate_all("all => all.map((word) => word.getBoundingClientRect().right)")
    assert max(rights) < 700
    expect(page.locator("#segment .errors .kind")).to_have_text(["word"])
    expect(page.locator("#segment .errors .kind")).to_be_visible()
    boxes = page.locator("#grid [role=row]").evaluate_all(
        "all => all.map((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom])"
    )
    assert all(one[1] <= two[0] + 1 for one, two in pairwise(boxes))
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_lines_follow_the_words_when_the_size_of_text_changes(page: Page) -> None:
    open_segment(page, 0)
    expect(page.locator("#segment-title")).to_have_text("Segment 1")
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert max(max(each) for each in line_ends(page)) < 1


HEBREW = ["הילד אכל תפוח אדום בגן", "דני הלך הביתה"]
HEBREW_TURNED = ["בגן הילד אכל תפוח אדום", "הביתה הלך דני"]


def test_lines_follow_words_from_right_to_left_on_narrow_windows_and_paper(
    tab: Tab, tmp_path: Path
) -> None:
    small_report(right=HEBREW, wrong=HEBREW_TURNED).write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    page.get_by_label("First system").select_option(label="wrong")
    open_segment(page, 0)
    assert max(max(each) for each in line_ends(page)) < 1
    page.set_viewport_size({"width": 700, "height": 900})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert max(max(each) for each in line_ends(page)) < 1
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert max(max(each) for each in line_ends(page)) < 1
    # A drawing that fits the paper is as large as its words.
    drawing = page.locator("#segment .links").first
    assert drawing.evaluate("(node) => new DOMMatrix(getComputedStyle(node).transform).a") == 1
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert max(max(each) for each in line_ends(page)) < 1


def test_the_address_opens_segments_and_back_closes_them(page: Page) -> None:
    title = page.locator("#segment-title")
    open_segment(page, 1)
    expect(title).to_have_text("Segment 2")
    page.evaluate("location.hash = '#segment=4'")
    expect(title).to_have_text("Segment 4")
    page.go_back()
    expect(title).to_have_text("Segment 2")
    page.go_back()
    expect(title).to_have_count(0)
    page.go_forward()
    expect(title).to_have_text("Segment 2")


@pytest.mark.parametrize("asked", some(["0", "49", "abc", ""], quick=["49"]))
def test_an_address_that_names_no_segment_is_said_to_be_wrong(
    tab: Tab, path: Path, asked: str
) -> None:
    page = tab.open(path)
    page.evaluate(f"location.hash = '#segment={asked}'")
    expect(page.get_by_role("alert")).to_have_text(
        f"There is no segment {asked or 'without a number'}; the address can name 1 to 48."
    )
    open_segment(page, 1)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.evaluate(f"location.hash = '#segment={asked}'")
    expect(page.get_by_role("alert")).to_have_count(1)
    page.go_back()
    expect(page.locator("#segment-title")).to_have_text("Segment 2")


def test_a_way_to_another_section_is_not_led_back_to_the_list(page: Page) -> None:
    open_segment(page, 1)
    expect(page.locator("#segment-title")).to_have_text("Segment 2")
    page.get_by_role("link", name="Methods").click()
    expect(page.locator("#segment")).to_be_empty()
    expect(page.locator("#methods-title")).to_be_in_viewport()
    expect(page.get_by_role("grid")).not_to_be_focused()


def test_whoever_skips_to_the_segments_can_walk_them_at_once(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the segments")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#segment-title")).to_have_text("Segment 2")


def test_characters_are_found_however_they_are_written(tab: Tab, tmp_path: Path) -> None:
    lines = ["salt &amp; pepper", "un caf\u00e9 noir", "ca\u0301rcel"]
    small_report(right=lines).write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    for typed, number in (("&amp;", 1), ("&", 1), ("cafe\u0301", 2), ("c\u00e1rcel", 3)):
        page.get_by_label("Search", exact=True).fill(typed)
        expect(page.get_by_role("status")).to_have_text("1 segment of 3")
        assert numbers(page) == [number]


def test_characters_that_turn_a_text_around_are_shown_as_their_numbers(
    tab: Tab, tmp_path: Path
) -> None:
    lines = ["a \u202elive\u202c b\u0007", "c d"]
    report = kilter.report(lines, lines, metrics="kendall", resampling=FEW, tokenize="none")
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    shown = "a \\u202elive\\u202c b\\u0007"
    expect(page.locator("#rows .line").first).to_have_text(shown)
    open_segment(page, 0)
    expect(page.locator("#segment .sentence > span").first).to_have_text(shown)


def test_of_many_errors_the_first_are_shown_and_the_others_when_asked_for(
    tab: Tab, tmp_path: Path
) -> None:
    words = [f"{letter}{number}" for number in range(25) for letter in "ab"]
    turned = [word for number in range(0, 50, 2) for word in (words[number + 1], words[number])]
    report = kilter.report(
        [" ".join(turned)], [" ".join(words)], metrics="kendall", resampling=FEW
    )  # fmt: skip
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 0)
    shown = page.locator("#segment .errors li")
    expect(shown).to_have_count(20)
    expect(page.locator("#segment")).to_contain_text("the first 20 of 25 errors")
    page.get_by_role("button", name="Show all").click()
    expect(shown).to_have_count(25)
    expect(shown.nth(20).get_by_role("button")).to_be_focused()
    loss = report.errors[0].segment(0).loss
    expect(page.locator("#segment")).to_contain_text(
        f"kendall loses {loss:.4f} to words out of order."
    )
    expect(shown.first).to_contain_text("4.0% of what kendall loses to words out of order")


def test_what_is_lost_by_order_and_by_words_without_a_link_is_told(
    tab: Tab, tmp_path: Path
) -> None:
    report = kilter.report(["b a c d"], ["a b c d e"], metrics="kendall", resampling=FEW)
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 0)
    found = report.errors[0].segment(0)
    expect(page.locator("#segment")).to_contain_text(
        f"kendall loses {found.loss:.4f} to words out of order, {found.missing_loss:.4f} to words of the reference without a link."
    )


def test_on_paper_names_and_numbers_stay_and_controls_go(page: Page) -> None:
    see_everything(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for name in ("#scores thead", "#matrix tbody", "#ngrams tbody", "#error-groups tbody"):
        buttons = page.locator(f"{name} button")
        expect(buttons.first).to_be_visible()
        assert all(text.strip() for text in buttons.all_inner_texts())
    expect(page.locator("#differences-picture figcaption button").first).to_be_visible()
    expect(page.locator(".verdict details p").first).to_be_attached()
    for name in ("#theme", "#turn", "#filters", "nav", "#differing button", ".hint"):
        expect(page.locator(name).first).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")


def test_many_systems_fit_on_paper(chromium: Browser, tmp_path: Path) -> None:
    outputs, reference = made_sentences(60, 23)
    names = {f"{name} with a rather long name": lines for name, lines in outputs.items()}
    kilter.report(names, reference, metrics=["order", "bleu"], resampling=FEW).write(
        tmp_path / "report.html"
    )
    context = chromium.new_context(locale="en", viewport={"width": 690, "height": 900})
    page = Tab(context).open(tmp_path / "report.html")
    pages = re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))
    assert 4 <= len(pages) <= 14
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for name in ("#scores", "#matrix table"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["width"] <= 690, name
    expect(page.locator("#matrix tbody tr")).to_have_count(23)
    context.close()


@pytest.mark.parametrize("announced", some([True, False], quick=[False]))
def test_paper_is_light_also_where_the_screen_is_dark(
    chromium: Browser, path: Path, *, announced: bool
) -> None:
    context = chromium.new_context(locale="en", color_scheme="dark")
    page = Tab(context).open(path)
    if announced:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    look = "getComputedStyle(document.body)"
    assert page.evaluate(f"{look}.color") == "rgb(0, 0, 0)"
    assert page.evaluate(f"{look}.backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(f"{look}.backgroundColor") == "rgb(20, 23, 28)"
    context.close()


def test_markup_in_texts_and_names_is_text(tab: Tab, tmp_path: Path) -> None:
    evil = '</script><script>window.broken = 1</script><img src=x onerror="window.broken = 1">'
    report = kilter.report(
        {evil: [evil, "a b"], "plain": ["x", evil]}, [evil, evil], metrics=["bleu", "kendall"],
        title=evil, resampling=FEW, tokenize="none",
    )  # fmt: skip
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    see_everything(page)
    open_segment(page, 0)
    expect(page.locator("#segment .sentence").first).to_contain_text(evil)
    assert page.evaluate("window.broken") is None
    assert page.locator("img").count() == 0
    assert page.title() == evil


def test_words_run_from_right_to_left_where_their_language_does(tab: Tab, tmp_path: Path) -> None:
    lines = ["הילד אכל תפוח", "דני הלך הביתה"]
    report = small_report(right=lines, wrong=["תפוח אכל הילד", "הביתה הלך דני"])
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 0)
    places = page.evaluate(
        "[...document.querySelector('#segment .links .row').children].map((w) => w.getBoundingClientRect().left)"
    )
    assert places == sorted(places, reverse=True)
    directions = page.evaluate(
        "[...document.querySelectorAll('#rows .line, .sentence > span')].map((n) => getComputedStyle(n).direction)"
    )
    assert set(directions) == {"rtl"}
    page.get_by_text("Permutation tree", exact=True).first.click()
    legend = page.get_by_text("parts in order,")
    assert legend.evaluate("(node) => getComputedStyle(node).direction") == "ltr"


def test_no_letter_of_a_language_without_blanks_is_lost(tab: Tab, tmp_path: Path) -> None:
    lines = ["我昨天在北京见到了他。", "他们不喜欢吃苹果。"]
    report = kilter.report(lines, lines, language="zh", metrics="kendall", resampling=FEW)
    report.write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    assert page.locator("#rows .line").first.inner_text() == lines[0]
    open_segment(page, 1)
    expect(page.locator("#segment .sentence > span").first).to_have_text(lines[1])


def test_one_system_alone_can_be_reported(tab: Tab, tmp_path: Path) -> None:
    small_report(right=["a b c", "d e"]).write(tmp_path / "report.html")
    page = tab.open(tmp_path / "report.html")
    open_segment(page, 1)
    expect(page.get_by_role("heading", name="Segment 2")).to_be_visible()
    expect(page.get_by_label("Second system")).to_be_hidden()
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(
        ["Summary", "Distributions and length", "Word accuracy and length", "Order errors", "Segments",
         "Methods"]
    )  # fmt: skip
    see_everything(page, ("summary", "distributions", "words", "errors", "segments", "methods"))


@pytest.fixture(scope="module")
def of_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page about the order of the source, without a reference."""
    texts = sample_texts()
    assert texts.source is not None
    straight = [[(k, k) for k in range(4)]] * 48
    crossed = [[(0, 1), (1, 0), (2, 3), (3, 2)]] * 48
    links = kilter.Links(source_hypothesis=tuple(map(kilter.LinkBatch.of, (straight, crossed))))
    systems = {name: list(texts.systems[name]) for name in ("local", "verb")}
    found = kilter.report(
        systems, source=list(texts.source[1]), links=links, tokenize="none", resampling=FEW
    )
    path = tmp_path_factory.mktemp("source") / "report.html"
    found.write(path)
    return path


def test_a_page_without_a_reference_draws_links_with_the_source(tab: Tab, of_source: Path) -> None:
    page = tab.open(of_source)
    see_everything(page, ("summary", "systems", "distributions", "pair", "segments", "methods"))
    expect(page.locator("#ngrams")).to_be_empty()
    expect(page.locator("#differences-picture figcaption")).to_contain_text("farther on 48")
    open_segment(page, 1)
    drawing = page.locator("#segment .links").first
    expect(drawing).to_have_attribute("aria-label", "Links between local and the source: 4 links")
    expect(page.locator("#segment .absent")).to_have_count(0)
    expect(page.locator("#segment")).not_to_contain_text("reference")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_label("Search", exact=True)).to_be_focused()


@pytest.mark.parametrize("scheme", some(["light", "dark"], quick=["dark"]))
def test_no_state_of_the_page_has_a_serious_accessibility_violation(
    chromium: Browser, path: Path, scheme: str
) -> None:
    # The checker is a script of its own, which the policy of the page would rightly refuse.
    context = chromium.new_context(locale="en", bypass_csp=True, color_scheme=scheme)  # type: ignore[arg-type]
    page = Tab(context).open(path)
    see_everything(page)
    open_segment(page, 1)
    found = {
        f"{violation['id']}: {node['target']}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
        if violation["impact"] in ("serious", "critical")
    }
    assert found == set()
    context.close()


def test_the_page_fits_a_phone(chromium: Browser, path: Path) -> None:
    context = chromium.new_context(locale="en", viewport={"width": 360, "height": 640})
    page = Tab(context).open(path)
    see_everything(page)
    # Of a segment in the list its words are seen, and not its numbers alone.
    lines = page.locator("#row-1 .line")
    expect(lines).to_have_count(2)
    box, grid = lines.first.bounding_box(), page.locator("#grid").bounding_box()
    assert box is not None
    assert grid is not None
    assert box["x"] + box["width"] <= grid["x"] + grid["width"]
    assert box["width"] > 0.8 * grid["width"]
    tops = page.locator("#rows [role=row]").evaluate_all(
        "all => all.map((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().bottom, "
        "Math.max(...[...row.children].map((cell) => cell.getBoundingClientRect().bottom))])"
    )
    assert all(cells <= bottom for _, bottom, cells in tops)
    assert all(one[1] <= two[0] + 1 for one, two in pairwise(tops))
    open_segment(page, 1)
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    context.close()


def test_a_live_page_loads_itself_again_and_says_what_is_wrong(
    chromium: Browser, tmp_path: Path
) -> None:
    system = tmp_path / "system.txt"
    system.write_text("first line\n", encoding="utf-8")

    def make() -> str:
        lines = system.read_text(encoding="utf-8").splitlines()
        return kilter.report(lines, ["a b"], metrics="bleu", resampling=FEW).to_html(live=True)

    live = LivePage(make, [str(system)])
    context = chromium.new_context(locale="en")
    page = context.new_page()
    with serving(live, 0) as address:
        page.goto(address)
        line = page.locator("#rows .line").nth(1)
        expect(line).to_have_text("first line")
        system.write_text("another line\n", encoding="utf-8")
        live.follow()
        expect(line).to_have_text("another line", timeout=PATIENCE)
        system.write_text("two\nlines\n", encoding="utf-8")
        live.follow()
        expect(page.get_by_role("alert")).to_contain_text("2", timeout=PATIENCE)
        expect(line).to_have_text("another line")
        system.write_text("a b\n", encoding="utf-8")
        live.follow()
        expect(line).to_have_text("a b", timeout=PATIENCE)
        expect(page.get_by_role("alert")).to_have_count(0)
    context.close()


def test_a_page_that_loads_itself_again_keeps_what_was_chosen(
    chromium: Browser, tmp_path: Path
) -> None:
    system = tmp_path / "system.txt"
    reference = ["the cat", "a dog and the cat", "one", "the end is near"]
    system.write_text("\n".join(reference) + "\n", encoding="utf-8")

    def make() -> str:
        lines = system.read_text(encoding="utf-8").splitlines()
        systems = {"right": reference, "edited": lines}
        return kilter.report(
            systems, reference, metrics=["bleu", "kendall"], resampling=FEW
        ).to_html(live=True)

    live = LivePage(make, [str(system)])
    context = chromium.new_context(locale="en")
    page = context.new_page()
    with serving(live, 0) as address:
        page.goto(address)
        open_segment(page, 1)
        page.keyboard.press("Escape")
        page.get_by_label("Metric", exact=True).select_option(label="kendall")
        page.get_by_label("First system").select_option(label="edited")
        page.get_by_label("Length to").fill("5")
        page.get_by_label("Sort by").select_option(label="length of the reference")
        page.get_by_label("Search", exact=True).fill("the")
        assert numbers(page) == [2, 4, 1]
        system.write_text("\n".join([*reference[:3], "near is the end"]) + "\n", encoding="utf-8")
        live.follow()
        expect(page.locator("#row-3 .line").nth(1)).to_have_text("near is the end")
        assert numbers(page) == [2, 4, 1]
        expect(page.get_by_label("Search", exact=True)).to_have_value("the")
        expect(page.get_by_label("Search", exact=True)).to_be_focused()
        expect(page.get_by_label("Length to")).to_have_value("5")
        for label, chosen in (
            ("Metric", "kendall"),
            ("First system", "edited"),
            ("Second system", "right"),
        ):
            text = page.get_by_label(label, exact=True).evaluate("(e) => e.selectedOptions[0].text")
            assert text == chosen
        page.reload()
        expect(page.get_by_label("Search", exact=True)).to_have_value("")
    context.close()


def made_sentences(count: int, systems: int) -> tuple[dict[str, list[str]], list[str]]:
    """Return sentences of made-up words, and systems that exchange and replace some of them."""
    chance = random.Random(1)
    words = [
        "".join(chance.choices("abdegiklmnoprstuv", k=chance.randint(2, 9))) for _ in range(9000)
    ]
    reference = [chance.choices(words, k=chance.randint(3, 45)) for _ in range(count)]
    outputs: dict[str, list[str]] = {}
    for system in range(systems):
        lines = []
        for sentence in reference:
            made = [chance.choice(words) if chance.random() < 0.2 else word for word in sentence]
            for _ in range(chance.randint(0, 3)):
                one, two = chance.randrange(len(made)), chance.randrange(len(made))
                made[one], made[two] = made[two], made[one]
            lines.append(" ".join(made))
        outputs[f"system{system}"] = lines
    return outputs, [" ".join(sentence) for sentence in reference]


def test_many_systems_and_segments_stay_usable(tab: Tab, tmp_path: Path) -> None:
    systems, segments = tried(10, quick=3), tried(3000, quick=300)
    outputs, reference = made_sentences(segments, systems)
    kilter.report(outputs, reference, resampling=FEW).write(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 15_000_000
    page = tab.open(tmp_path / "report.html")
    # A row for each segment would be slow; only those in view are there.
    assert page.locator("#rows [role=row]").count() < 40
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    expect(page.locator("#rows .active")).to_have_attribute("aria-rowindex", str(segments + 1))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Segment {segments}")).to_be_focused()
    term = reference[segments // 2].split()[0]
    page.get_by_label("Look in").select_option(label="reference")
    page.get_by_label("Search", exact=True).fill(term)
    wanted = [n + 1 for n, line in enumerate(reference) if term in line]
    expect(page.get_by_role("status")).to_contain_text(f"of {segments}")
    assert numbers(page)[:3] == wanted[:3]
