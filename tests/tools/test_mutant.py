"""Changes are real ones, and a sample of them has all packages."""

import random

import pytest

pytest.importorskip("cosmic_ray", reason="make mutate installs Cosmic Ray")

from tools.mutation.mutant import Mutant, definition, mutants, sample, spots

MODULE = '''"""A module."""

from __future__ import annotations


def larger(a: int | None, *, b: int = 7) -> int | None:
    """Return one."""
    if len(str(b)) == 0:
        return a
    return a if a is not None and a > b else b
'''


def every(code: str) -> list[Mutant]:
    chance = random.Random(1)
    return [one for spot in spots("kilter/a/b.py", code) for one in mutants(spot, code, chance)]


def test_each_change_is_of_one_place_and_is_told() -> None:
    told = {(one.line, one.before, one.after) for one in every(MODULE)}
    line = "return a if a is not None and a > b else b"
    assert (10, line, line.replace(">", ">=")) in told
    assert (10, line, line.replace(" and ", " or ")) in told
    assert (10, line, line.replace("is not None", "is None")) in told


def test_the_definition_around_a_change_is_named() -> None:
    code = "x = 1\n\nclass A:\n    @property\n    def b(self):\n        return 1\n"
    assert [definition(code, line) for line in (1, 3, 4, 6)] == ["", "A", "A.b", "A.b"]


def test_changed_code_is_the_module_with_that_change() -> None:
    for one in every(MODULE):
        assert one.before in MODULE
        assert one.code.replace(one.after, one.before, 1) == MODULE


def test_annotations_and_signs_that_calculate_nothing_are_left() -> None:
    changed = {(one.line, one.after) for one in every(MODULE) if one.line == 6}
    head = "def larger(a: int | None, *, b: int = 7) -> int | None:"
    assert changed == {(6, head.replace("7", "8")), (6, head.replace("7", "6"))}


def test_what_is_counted_is_not_compared_with_less_than_none() -> None:
    comparisons = {one.operator for one in every(MODULE) if one.line == 8 and "==" not in one.after}
    assert "ReplaceComparisonOperator_Eq_Gt" in comparisons
    assert "ReplaceComparisonOperator_Eq_LtE" not in comparisons


def test_a_sample_has_every_package_and_each_place_once() -> None:
    texts = {f"kilter/{name}/x.py": MODULE for name in ("a", "b", "c")}
    texts["kilter/errors.py"] = MODULE
    drawn = sample(texts, 12, 3)
    assert {one.package for one in drawn} == {"a", "b", "c", "kilter"}
    places = [(one.file, one.line, one.column) for one in drawn]
    assert len(set(places)) == len(places) >= 12


def test_the_seed_alone_decides_on_a_sample() -> None:
    texts = {"kilter/a/x.py": MODULE, "kilter/b/x.py": MODULE * 3}
    assert sample(texts, 6, 3) == sample(texts, 6, 3)
    assert sample(texts, 6, 3) != sample(texts, 6, 4)


def test_a_sample_stays_when_other_lines_change() -> None:
    before = sample({"kilter/a/x.py": MODULE}, 4, 3)
    after = sample({"kilter/a/x.py": MODULE.replace("module.", "module.\n\nIt was changed.")}, 4, 3)
    assert [(one.before, one.after) for one in after] == [(one.before, one.after) for one in before]
