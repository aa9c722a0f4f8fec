"""Every result prints as people read it, and a notebook shows it as HTML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kilter
import kilter.preorder
from kilter.results.document import Result
from tests.run.scoring.scored import FEW

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = ["the cat sat on the mat", "a b c d", "e f g"] * 3
SYSTEMS = {"one": ["the mat sat on the cat", "a c b d", "e f g"] * 3, "two": REFERENCE}
TREES = EXAMPLES / "trees.conllu"


def _explained() -> Any:
    return kilter.explain("the mat sat on the cat", "the cat sat on the mat")


SHOWN: dict[str, Callable[[], Any]] = {
    "score": lambda: kilter.score(SYSTEMS, REFERENCE, resampling=FEW),
    "compare": lambda: kilter.compare(SYSTEMS, REFERENCE, resampling=FEW),
    "explain": _explained,
    "order_errors": lambda: kilter.order_errors(SYSTEMS, REFERENCE)[0],
    "ErrorSummary": lambda: kilter.order_errors(SYSTEMS, REFERENCE)[0].summary,
    "validate": lambda: kilter.validate(
        [str(EXAMPLES / "verb.en")], [str(EXAMPLES / "reference.en")]
    ),
    "published": lambda: kilter.published("th-3.4"),
    "report": lambda: kilter.report(SYSTEMS, REFERENCE, resampling=FEW),
    "permutation": lambda: kilter.Permutation([1, 3, 0, 2]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_result_prints_lines_that_people_read(name: str) -> None:
    text = str(SHOWN[name]())
    assert text.strip()
    assert max(map(len, text.splitlines())) < 250
    assert "dtype=" not in text
    assert f"{name}(" not in text


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "permutation"])
def test_a_notebook_shows_a_result_as_html(name: str) -> None:
    page = SHOWN[name]()._repr_html_()
    assert page.count("<") == page.count(">") > 1


def test_every_kind_of_result_has_tables() -> None:
    kinds = [*Result.__subclasses__()]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert len(kinds) > 20
    assert [kind.__name__ for kind in kinds if kind.tables is Result.tables] == []
    assert [kind.__name__ for kind in kinds if kind.__str__ is not Result.__str__] == []
