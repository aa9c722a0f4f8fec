"""A column holds the attribute that it names, in every table of every report.

Reports are found by what they are or return; one whose columns no test holds fails.
"""

from tests.render.cases import PLAIN, held, reports


def test_the_columns_of_every_report_are_held_by_a_test() -> None:
    assert held() == reports().keys() - PLAIN
