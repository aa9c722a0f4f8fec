"""Pictures of the worked examples are the ones that were looked at."""

import pytest

from tests.render.explanation.golden import FOLDER, path_of, pictures
from tests.render.explanation.look import check


@pytest.mark.parametrize("name", pictures())
def test_a_picture_is_the_one_that_was_looked_at(name: str) -> None:
    assert pictures()[name] == path_of(name).read_text(encoding="utf-8")
    check(pictures()[name])


def test_no_file_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(pictures())
