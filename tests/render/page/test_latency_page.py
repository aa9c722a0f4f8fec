"""The page of `kilter latency`: what it tells, what it draws, in a browser in light and dark and on a phone."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page

import kilter
from kilter.render.page.latency_page import latency_page
from tests.run.test_latency import FEW, LINKS, SOURCE, TEXT, text
from tests.study import browsing
from tests.thorough import some

HOSTILE = "<script>alert(1)</script>"
NEEDS_BROWSER = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)


def result(*, delays: bool = True) -> kilter.LatencyResult:
    """Return latencies of two systems, one with a name that wants to be a script."""
    links = kilter.LinkBatch.of(LINKS)
    names = ["wait", HOSTILE]
    systems = {name: text(name, delays=delays) for name in names}
    return kilter.latency(systems, links=dict.fromkeys(names, links), resampling=FEW)


def test_a_page_tells_what_is_forced_with_intervals_and_draws_what_waits_longest() -> None:
    found = result()
    page = latency_page(found)
    lag = found.systems["wait"].measures["lag"]
    assert lag.bounds is not None
    low, high = lag.bounds
    assert f"said {lag.value:.2f} [{low:.2f}, {high:.2f}] words after its source is heard" in page
    for table in found.tables():
        assert f"<caption>{table.title}</caption>" in page
    assert "differences: second minus first" in page
    # Of three segments only the first is forced to wait: it alone is drawn, for each system.
    assert page.count("<figure>") == page.count("<svg") == 2
    assert "<figcaption>wait, segment 1: forced 0.60 words per linked word</figcaption>" in page
    assert HOSTILE not in page


def test_segments_are_drawn_from_the_longest_wait_down_of_equals_the_first() -> None:
    order = [1, 0, 0, 1, 0, 0]  # of these rows the first of the samples is the one that waits
    half = [[(0, 0), (1, 2), (2, 1)], [(0, 1), (1, 2), (3, 0)]]
    found = kilter.latency(
        kilter.DelayedText.of([TEXT[0]] * 6, [SOURCE[0]] * 6, name="six"),
        links=kilter.LinkBatch.of([half[each] for each in order]),
        resampling=FEW,
    )
    values = found.segment_arrays["six", "least lag"].tolist()
    assert values[0] == values[3] > values[1] > 0
    drawn = re.findall(r"<figcaption>six, segment (\d)", latency_page(found))
    assert drawn == ["1", "4", "2"]


def test_without_links_there_are_tables_alone() -> None:
    page = latency_page(kilter.latency(text(), resampling=FEW))
    assert "<caption>latency in words</caption>" in page
    assert '<div class="verdict">' not in page
    assert "<figure>" not in page


def test_without_delays_a_page_tells_how_long_the_order_makes_words_wait() -> None:
    page = latency_page(result(delays=False))
    assert "its order makes a linked word wait" in page
    assert "least lag" in page


def test_a_long_table_is_folded() -> None:
    found = result()
    many = replace(found, differences=found.differences * 20)
    assert "<details>" not in latency_page(found)
    assert f"<summary>differences: second minus first: {len(many.differences)} rows</summary>" in (
        latency_page(many)
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("page") / "latency.html"
    found.write_text(latency_page(result()), encoding="utf-8")
    return found


def opened(browser: Browser, path: Path, scheme: str, *, width: int = 1100) -> Page:
    # The checker is a script of its own, which the policy of the page would rightly refuse.
    context = browser.new_context(
        bypass_csp=True,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    page.goto(path.as_uri())
    return page


@NEEDS_BROWSER
@pytest.mark.parametrize("scheme", some(["light", "dark"], quick=["dark"]))
def test_everybody_can_read_the_page_in_light_and_dark(
    chromium: Browser, path: Path, scheme: str
) -> None:
    page = opened(chromium, path, scheme)
    found = Axe().run(page).response
    assert found["passes"]
    assert [
        f"{violation['id']}: {node['target']}"
        for violation in found["violations"]
        for node in violation["nodes"]
        if violation["impact"] in ("serious", "critical")
    ] == []
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    paper = np.array([int(part) for part in re.findall(r"\d+", colour)])
    assert (paper.max() < 50) == (scheme == "dark")
    for figure in page.locator("figure svg").all():
        seen = np.asarray(Image.open(BytesIO(figure.screenshot())).convert("RGB")).astype(int)
        assert np.abs(seen[2, 2] - paper).max() <= 6
        assert np.abs(seen - paper).max() > 100
    page.context.close()


@NEEDS_BROWSER
def test_the_page_loads_nothing_and_fits_a_phone(chromium: Browser, path: Path) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text))
    page.on("request", lambda asked: problems.append(asked.url))
    page.goto(path.as_uri())
    assert problems == [path.as_uri()]
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    context.close()
