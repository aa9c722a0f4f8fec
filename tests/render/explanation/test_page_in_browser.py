"""The page of explanations in a real browser: loads nothing, light and dark, on a phone, for everybody."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page

import kilter
from kilter.render.explanation.page import explanation_page
from tests.golden.test_tree_examples import BECOMES, BECOMING, SHERLOCK_LINKS
from tests.study import browsing
from tests.thorough import some

pytestmark = pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a page with every kind of picture and table, and one with nothing out of order."""
    trees = [kilter.DependencyTreeColumn.of([tree]) for tree in (BECOMES, BECOMING)]
    sherlock = kilter.explain(
        " ".join(BECOMES.words),
        " ".join(BECOMING.words),
        links=kilter.LinkBatch.of([SHERLOCK_LINKS]),
        trees=kilter.Trees(systems=(trees[0],), references=(trees[1],)),
        metrics=["kendall", "dted", "derp"],
        rule="mean",
    )
    words = "w x y z " * 20
    hebrew = kilter.explain("שלום עולם a", "עולם שלום b", metrics="kendall")
    long = kilter.explain(f"{words} b a", f"a b {words}", metrics="pef")
    page = explanation_page([sherlock, hebrew, long])
    found = tmp_path_factory.mktemp("page") / "page.html"
    found.write_text(page, encoding="utf-8")
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


@pytest.mark.parametrize("scheme", some(["light", "dark"], quick=["dark"]))
def test_the_page_has_no_serious_accessibility_violation(
    chromium: Browser, path: Path, scheme: str
) -> None:
    page = opened(chromium, path, scheme)
    result = Axe().run(page).response
    assert result["passes"]
    found = {
        f"{violation['id']}: {node['target']}"
        for violation in result["violations"]
        for node in violation["nodes"]
        if violation["impact"] in ("serious", "critical")
    }
    assert found == set()
    page.context.close()


@pytest.mark.parametrize("scheme", some(["light", "dark"], quick=["dark"]))
def test_pictures_stand_on_the_paper_of_the_page(
    chromium: Browser, path: Path, scheme: str
) -> None:
    page = opened(chromium, path, scheme)
    figures = page.locator("figure svg").all()
    assert len(figures) >= 8
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    paper = np.array([int(part) for part in re.findall(r"\d+", colour)])
    assert (paper.max() < 50) == (scheme == "dark")
    for figure in figures:
        seen = np.asarray(Image.open(BytesIO(figure.screenshot())).convert("RGB")).astype(int)
        corner = seen[2, 2]
        assert np.abs(corner - paper).max() <= 1
        # Something is to be seen on it.
        assert np.abs(seen - paper).max() > 100
    page.context.close()


def test_the_page_complains_about_nothing_and_loads_nothing(chromium: Browser, path: Path) -> None:
    context = chromium.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text))
    page.on("request", lambda asked: problems.append(asked.url))
    page.goto(path.as_uri())
    assert problems == [path.as_uri()]
    context.close()


def test_the_page_fits_a_phone(chromium: Browser, path: Path) -> None:
    page = opened(chromium, path, "light", width=360)
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.context.close()
