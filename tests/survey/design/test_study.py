"""What a study is made of."""

import pytest

from kilter.errors import OptionError
from kilter.survey.design.study import PUBLISHED, Recruitment


def test_the_published_composition_has_the_rows_of_the_table() -> None:
    types = ("order", "swap", "phrase", "choice")
    rows = [(row.items, str(row.kind), row.type, row.same_base, row.shared) for row in PUBLISHED]
    assert rows == [
        (10, "translation", "", False, True),
        *((2, "permutation", kind, True, True) for kind in types),
        (2, "permutation", "random", False, True),
        (15, "translation", "", False, False),
        *((2, "permutation", kind, True, False) for kind in types),
        (7, "permutation", "random", False, False),
    ]


def test_a_group_is_one_that_the_study_names_if_it_names_any() -> None:
    anybody = Recruitment(open=False, limit=0)
    assert anybody.checked_group("evening class") == "evening class"
    for name in ("", "=1", "a" * 61, "a\nb"):
        with pytest.raises(OptionError, match="write up to 60 letters"):
            anybody.checked_group(name)
    some = Recruitment(open=False, limit=0, groups=("staff",))
    assert some.checked_group("staff") == "staff"
    with pytest.raises(OptionError, match=r"study.toml has the groups staff"):
        some.checked_group("students")
