"""The figures of the worked analysis and of other pages are those that their commands draw."""

import re
from hashlib import sha256

import kilter
from kilter.render.explanation.preorder_explanation import preorder_picture
from tests.cli.command import kilter as command
from tests.docs.figures import EXPLAINED, FIGURES, PAGE, explained, shown
from tests.docs.pages import ROOT


def test_the_figures_beside_the_page_are_those_of_its_commands() -> None:
    text = PAGE.read_text(encoding="utf-8")
    pictures = sorted(FIGURES.glob("*/*.svg"), key=str)
    digest = sha256(b"".join(picture.read_bytes() for picture in pictures)).hexdigest()
    assert f"{digest}  -" in text, "draw them again with 'python -m tests.docs.figures'"
    assert shown(text) == [str(picture.relative_to(FIGURES)) for picture in pictures]
    # The page says so itself: the folders of its last command are those whose figures it shows.
    named = re.search(r"\$ cat report/\{([^}]+)\}/\*\.svg", text)
    assert named is not None
    assert named[1].split(",") == sorted({picture.parent.name for picture in pictures})
    assert all(b"SIMULATED DATA" in picture.read_bytes() for picture in pictures)


def test_the_picture_of_an_explained_sentence_is_the_one_of_its_command() -> None:
    page = (ROOT / "docs" / "preordering.md").read_text(encoding="utf-8")
    assert "kilter preorder explain -r en-verb-final --segment 4 --format svg examples" in page
    result = kilter.preorder.explain(
        str(ROOT / "examples" / "trees.conllu"), "en-verb-final", segment=4
    )
    shown = (ROOT / "docs" / "preorder-explained.svg").read_text(encoding="utf-8")
    assert shown == preorder_picture(result)


def test_the_picture_of_the_readme_is_the_one_of_its_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](docs/explained.svg)" in text.split("## ")[0]
    (sentences,) = re.findall(r'kilter explain "([^"]+)" "([^"]+)" --format svg', text)
    drawn = command("explain", *sentences, "--format", "svg").out
    assert drawn == explained() == EXPLAINED.read_text(encoding="utf-8")
    assert "Misplaced: call 6, go 12." in drawn
