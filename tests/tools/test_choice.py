"""The tests of a change are those that run its statement, nearest first."""

from dataclasses import replace

import pytest

pytest.importorskip("cosmic_ray", reason="make mutate installs Cosmic Ray")

from tools.mutation.choice import Choice, chunks
from tools.mutation.mutant import Mutant
from tools.mutation.record import Record
from tools.mutation.workspace import digest, keep

FILE = "kilter/a/b.py"
CODE = """LIMIT = 3


def first(x):
    return min(
        x,
        LIMIT,
    )


def second(x):
    return x
"""


def record(code: str, **lines: list[int]) -> Record:
    """Return a record where each test, by name, ran these lines in a second."""
    return Record(
        digest="",
        tests={name.replace("__", "::"): 1.0 for name in lines},
        lines={
            FILE: {
                str(line): [number for number, ran in enumerate(lines.values()) if line in ran]
                for line in range(1, 13)
            }
        },
        digests={FILE: digest(code)},
        names=[name.replace("__", "::") for name in lines],
    )


def chosen(line: int, code: str = CODE, before: str = CODE) -> list[str]:
    keep({"": code, " ": before})
    records = {
        "tests/cli/test_c.py": record(before, **{"tests/cli/test_c.py__one": [5, 6, 12]}),
        "tests/a/test_b.py": record(
            before, **{"tests/a/test_b.py__one": [5, 6], "tests/a/test_b.py__two": [12]}
        ),
    }
    choice = Choice(records, {FILE: code})
    mutant = Mutant(FILE, "", line, 0, "", "", "", "")
    return [test for _, tests in choice.tests(mutant).groups for test in tests]


def test_tests_that_run_any_line_of_the_statement_come_first_by_nearness() -> None:
    assert chosen(7) == [
        "tests/a/test_b.py::one",
        "tests/cli/test_c.py::one",
        "tests/a/test_b.py::two",
    ]


def test_a_line_that_runs_at_import_gets_the_tests_of_the_module() -> None:
    assert set(chosen(1)) == {
        "tests/a/test_b.py::one",
        "tests/a/test_b.py::two",
        "tests/cli/test_c.py::one",
    }


def test_a_default_gets_the_tests_that_run_its_function_first() -> None:
    assert chosen(11)[:2] == ["tests/a/test_b.py::two", "tests/cli/test_c.py::one"]


def test_tests_of_the_package_may_look_at_what_an_import_made() -> None:
    keep({"": CODE})
    records = {
        "tests/a/test_c.py": record(CODE, **{"tests/a/test_c.py__looks": []}),
        "tests/z/test_c.py": record(CODE, **{"tests/z/test_c.py__looks": []}),
    }
    choice = Choice(records, {FILE: CODE})
    for line, expected in ((1, ["tests/a/test_c.py::looks"]), (12, [])):
        found = choice.tests(Mutant(FILE, "", line, 0, "", "", "", ""))
        assert [test for _, tests in found.groups for test in tests] == expected


def test_what_a_function_makes_at_import_is_looked_at_without_running_it() -> None:
    code = CODE + "\n\nMADE = [first(2)]\n"
    keep({"": code})
    records = {
        "tests/a/test_b.py": record(code, **{"tests/a/test_b.py__looks": []}),
        "tests/z/test_d.py": record(code, **{"tests/z/test_d.py__imports": [5, 6]}),
    }
    choice = Choice(records, {FILE: code})
    found = choice.tests(Mutant(FILE, "", 7, 0, "", "", "", ""))
    assert [test for _, tests in found.groups for test in tests] == [
        "tests/a/test_b.py::looks",
        "tests/z/test_d.py::imports",
    ]


def test_lines_that_moved_are_found_again() -> None:
    assert chosen(15, "import re\n\n\n" + CODE)[:2] == [
        "tests/a/test_b.py::two",
        "tests/cli/test_c.py::one",
    ]


def test_few_tests_run_first_and_none_beyond_the_limit() -> None:
    lines = {f"tests/a/test_b.py__{number}": [12] for number in range(9)}
    keep({"": CODE})
    choice = Choice({"tests/a/test_b.py": record(CODE, **lines)}, {FILE: CODE})
    found = choice.tests(Mutant(FILE, "", 12, 0, "", "", "", ""))
    assert [len(chunk) for chunk in chunks(found, choice, 100.0)] == [9]
    assert [len(chunk) for chunk in chunks(found, choice, 4.5)] == [4]


def test_a_test_is_known_if_it_was_recorded() -> None:
    choice = Choice({"tests/a/test_b.py": record(CODE, **{"tests/a/test_b.py__one": [5]})}, {})
    assert choice.knows("tests/a/test_b.py::one")
    assert not choice.knows("tests/a/test_b.py::two")
    assert not choice.knows("tests/gone.py::one")
    assert not choice.knows("")
    assert not choice.knows("a crash")


def test_quick_tests_of_a_package_come_before_slow_ones() -> None:
    keep({"": CODE})
    records = {}
    for file, quick, slow in (("tests/a/test_c.py", 0.1, 0.5), ("tests/a/test_d.py", 0.2, 60.0)):
        names = [f"{file}::quick", f"{file}::slow"]
        made = record(CODE, **{name.replace("::", "__"): [12] for name in names})
        records[file] = replace(made, tests=dict(zip(names, (quick, slow), strict=True)))
    found = Choice(records, {FILE: CODE}).tests(Mutant(FILE, "", 12, 0, "", "", "", ""))
    assert [test for _, tests in found.groups for test in tests] == [
        "tests/a/test_c.py::quick",
        "tests/a/test_d.py::quick",
        "tests/a/test_c.py::slow",
        "tests/a/test_d.py::slow",
    ]
