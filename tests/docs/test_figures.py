"""The figures of the worked analysis are those that its commands draw."""

import re
from hashlib import sha256

from tests.docs.figures import FIGURES, PAGE


def test_the_figures_beside_the_page_are_those_of_its_commands() -> None:
    text = PAGE.read_text(encoding="utf-8")
    pictures = sorted(FIGURES.glob("*/*.svg"), key=str)
    digest = sha256(b"".join(picture.read_bytes() for picture in pictures)).hexdigest()
    assert f"{digest}  -" in text, "draw them again with 'python -m tests.docs.figures'"
    shown = set(re.findall(r"\]\(report/([^)]+)\)", text))
    assert shown == {str(picture.relative_to(FIGURES)) for picture in pictures}
    assert all(b"SIMULATED DATA" in picture.read_bytes() for picture in pictures)
