"""A column holds the attribute that it names, in every table of every report.

Reports are found by what they return and how they are called; one whose columns no test holds fails.
"""

from tests.render.cases import PLAIN, held, reports


def test_the_columns_of_every_report_are_held_in_the_test_of_its_module() -> None:
    expected: dict[str, set[str]] = {}
    for name, function in reports().items():
        if name not in PLAIN:
            expected.setdefault(function.__module__, set()).add(name)
    assert held() == expected
