"""The sections of a results chapter, on a study in which every analysis has something to show."""

import re
from functools import cache
from unittest.mock import patch

from kilter.pipeline.survey.analysis_settings import AnalysisSettings
from kilter.pipeline.survey.chapter import study_sections
from kilter.reports.page.sub_report import Cell, ReportTable
from kilter.statistics.resampling import Resampling
from tests.reports.test_judgment_figures import rich


@cache
def tables() -> dict[str, ReportTable]:
    """Return every table of the chapter by its section, report and place."""
    settings = AnalysisSettings(resampling=Resampling(resamples=20), smallest_group=1)
    with patch("kilter.reports.study.power.REPETITIONS", 10):
        sections = [made() for made in study_sections(rich(), settings)]
    return {
        f"{section.name} {report.name} {place}": table
        for section in sections
        for report in section.reports
        for place, table in enumerate((report.data, *report.tables))
        if table.rows
    }


def is_number(cell: Cell) -> bool:
    """Return whether a cell holds a number, one that is written out, or why there is none."""
    if isinstance(cell, bool | None):
        return False
    return not isinstance(cell, str) or re.match(r"[-<]?\d", cell) is not None


def test_columns_of_words_come_first_and_are_flush_left() -> None:
    for name, table in tables().items():
        columns = [*zip(*table.rows, strict=True)]
        for cells in columns[: table.left]:
            numbers = [cell for cell in cells if isinstance(cell, int | float) and is_number(cell)]
            assert numbers == [], name
        assert table.left == len(columns) or any(map(is_number, columns[table.left])), name


def test_every_section_is_there_once() -> None:
    names = [name.split()[0] for name in tables()]
    assert list(dict.fromkeys(names)) == [
        "sample", "sentences", "answers", "care", "judges", "correlations", "outcome", "groups", "planning",
        "places", "people", "tools", "types", "by-group",
    ]  # fmt: skip
