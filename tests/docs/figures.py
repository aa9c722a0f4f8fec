"""Draws the figures that docs/survey/analysis.md shows by its own commands: `python -m tests.docs.figures`.

The picture of the README is one more of them; `make docs` draws it, too.
"""

import re
import shutil

import kilter
from kilter.render.explanation.picture import PictureName, picture
from tests.docs.pages import ROOT, blocks, reader

PAGE = ROOT / "docs" / "survey" / "analysis.md"
FIGURES = PAGE.parent / "report"
EXPLAINED = ROOT / "docs" / "explained.svg"


def explained() -> str:
    """Return the picture of the README: a sentence of the sample, as `kilter explain --format svg` draws it."""
    hypothesis, reference = (
        (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()[2]
        for name in ("verb.en", "reference.en")
    )
    return picture(kilter.explain(hypothesis, reference), PictureName.LINKS)


def draw_explained() -> None:
    """Draw the picture of the README again."""
    EXPLAINED.write_text(explained(), encoding="utf-8")


def shown(text: str) -> list[str]:
    """Return the figures of the report that a page shows."""
    return sorted(set(re.findall(r"\]\(report/([^)]+)\)", text)))


def main() -> None:
    draw_explained()
    with reader() as tried:
        for block in blocks(PAGE.read_text(encoding="utf-8")):
            tried.outputs(block)
        shutil.rmtree(FIGURES, ignore_errors=True)
        for name in shown(PAGE.read_text(encoding="utf-8")):
            (FIGURES / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tried.folder / "report" / name, FIGURES / name)


if __name__ == "__main__":
    main()
