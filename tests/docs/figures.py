"""Draws the figures of docs/survey/analysis.md by its own commands: `python -m tests.docs.figures`."""

import shutil

from tests.docs.pages import ROOT, blocks, reader

PAGE = ROOT / "docs" / "survey" / "analysis.md"
FIGURES = PAGE.parent / "report"


def main() -> None:
    with reader() as tried:
        for block in blocks(PAGE.read_text(encoding="utf-8")):
            tried.outputs(block)
        shutil.rmtree(FIGURES, ignore_errors=True)
        for picture in sorted((tried.folder / "report").glob("*/*.svg")):
            target = FIGURES / picture.parent.name
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, target / picture.name)


if __name__ == "__main__":
    main()
