"""What `make test` leaves to `make test-all`."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests import conftest
from tests.thorough import costly, quick, spread

ROOT = Path(__file__).parents[1]


def variants(name: str, count: int) -> list[str]:
    return [f"{name}[{number}]" for number in range(count)]


def test_few_variants_and_tests_without_any_are_all_kept() -> None:
    tests = ["tests/test_a.py::test_one", *variants("tests/test_a.py::test_other", 2)]
    assert spread(tests) == set(tests)


def test_of_many_variants_an_eighth_is_kept_and_at_least_one() -> None:
    for count in range(3, 60):
        tests = variants("tests/test_a.py::test_one", count)
        kept = spread(tests)
        assert kept <= set(tests)
        assert max(1, count // 8) <= len(kept) <= count // 8 + 1


def test_every_variant_is_kept_in_one_test_or_another() -> None:
    names = [f"tests/test_contract.py::test_{law}" for law in "abcdefghijklmnop"]
    kept = spread(test for name in names for test in variants(name, 37))
    assert {test.partition("[")[2] for test in kept} == {f"{number}]" for number in range(37)}
    assert spread(variants(names[0], 37)) < kept


def test_costly_tests_are_left_out_whole_or_by_variant() -> None:
    rest = ["tests/test_a.py::test_one", *variants("tests/test_a.py::test_other", 2)]
    whole = variants("tests/test_a.py::test_costly", 3)
    assert quick([*rest, *whole], costly=["tests/test_a.py::test_costly"]) == rest
    assert quick([*rest, *whole], costly=whole[1:]) == [*rest, whole[0]]


def test_a_file_keeps_a_test_that_is_not_costly() -> None:
    tests = ["tests/test_a.py::test_one", *variants("tests/test_b.py::test_other", 2)]
    with pytest.raises(ValueError, match=r"all tests of tests/test_b\.py are in"):
        quick(tests, costly=["tests/test_b.py::test_other"])


def test_a_costly_test_that_is_not_there_is_named_unless_its_file_is_missing() -> None:
    tests = ["tests/test_a.py::test_one", *variants("tests/test_a.py::test_other", 2)]
    with pytest.raises(ValueError, match=r"not there: tests/test_a\.py::test_other\[2\]"):
        quick(tests, costly=["tests/test_a.py::test_other[2]"])
    assert quick(tests, costly=["tests/test_b.py::test_other"]) == tests


def test_the_list_of_costly_tests_is_in_order_and_of_files_that_are_there() -> None:
    listed = costly()
    assert listed == sorted(set(listed))
    for name in listed:
        assert (ROOT / name.partition("::")[0]).is_file(), name


@dataclass(frozen=True)
class Item:
    """A collected test without any mark."""

    nodeid: str

    def get_closest_marker(self, name: str) -> None:
        del name


@pytest.mark.parametrize("thorough", [False, True])
def test_a_thorough_run_leaves_nothing_out(
    *, thorough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "costly", lambda: ["tests/test_a.py::test_costly"])
    names = ["tests/test_a.py::test_costly", *variants("tests/test_a.py::test_other", 8)]
    items = [Item(name) for name in names]
    config = SimpleNamespace(
        getoption={"thorough": thorough}.get,
        args_source=pytest.Config.ArgsSource.TESTPATHS,
        option=SimpleNamespace(keyword=""),
        hook=SimpleNamespace(pytest_deselected=dict),
        stash={},
    )
    conftest.pytest_collection_modifyitems(cast("Any", config), cast("Any", items))
    kept = [item.nodeid for item in items]
    if thorough:
        assert kept == names
    else:
        assert kept == [name for name in names if name in spread(names[1:])]


def test_ci_runs_everything() -> None:
    assert "make test-all\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ntest-all:")[2]
    assert rule.splitlines()[1] == "\t$(PYTEST) --thorough"
