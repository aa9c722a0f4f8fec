"""Example notebooks say what they show."""

from pathlib import Path

import pytest

from tests.docs.notebooks import executed, notebooks, read, written
from tests.docs.pages import ROOT

KINDS = {path.stem for path in (ROOT / "docs" / "for").glob("*.md")}


def test_every_kind_of_user_has_a_small_notebook_whose_cells_were_run_in_order() -> None:
    assert {path.stem for path in notebooks()} == KINDS
    for path in notebooks():
        held = read(path)
        code = [cell for cell in held["cells"] if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
        assert any(cell["outputs"] for cell in code)
        assert written(held) == path.read_text(encoding="utf-8")
        assert path.stat().st_size < 60_000


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_every_notebook_shows_what_its_cells_say(path: Path) -> None:
    assert executed(read(path)) == read(path)
