"""Pictures of the report on the sample for the documentation: `python -m tests.render.page.screens`."""

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, expect

from kilter.run.demo import sample_texts
from kilter.run.explanation.report import report_texts
from kilter.run.scoring.settings import Settings
from tests.docs.pages import ROOT
from tests.render.page.reported import METRICS
from tests.study import browsing

FOLDER = ROOT / "docs" / "report"


def take(page: Page, name: str, *places: str) -> None:
    """Photograph the page from the top of one place to the bottom of another, as wide as it is."""
    boxes = [page.locator(place).bounding_box() for place in (places[0], places[-1])]
    first, last = boxes
    assert first is not None
    assert last is not None
    clip = {
        "x": 0,
        "y": first["y"] - 8,
        "width": 1240,
        "height": last["y"] + last["height"] - first["y"] + 16,
    }
    taken = page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
    # Few colours do, and make files small.
    Image.open(BytesIO(taken)).convert("RGB").quantize(80).save(
        FOLDER / f"{name}.png", optimize=True
    )
    sys.stdout.write(f"{name}\n")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browsing.browser() as browser:
        path = Path(folder) / "report.html"
        report_texts(sample_texts(), Settings(metrics=METRICS, language="en")).write(path)
        schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
        for scheme in schemes:
            context = browser.new_context(
                locale="en", viewport={"width": 1240, "height": 4000}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(path.as_uri())
            page.get_by_label("Metric", exact=True).select_option(label="kendall")
            page.get_by_label("First system").select_option(label="verb")
            page.get_by_label("Second system").select_option(label="local")
            page.locator("#row-9").click()
            expect(page.get_by_role("heading", name="Segment 10")).to_be_focused()
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            page.wait_for_timeout(300)
            if scheme == "light":
                take(page, "overview", "h1", "#differing")
                take(page, "pictures", "#distributions", "#pair-pictures")
                take(page, "errors", "#errors")
                take(page, "list", "#segments", "#grid")
                take(page, "segment", "#segment")
            else:
                take(page, "dark", "#segment")
            context.close()


if __name__ == "__main__":
    main()
