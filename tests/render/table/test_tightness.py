"""Tables of tightness."""

import csv

from kilter.render.table.table import TableFormat
from kilter.results.tightness_result import LooseStep, TightnessResult, TightnessResults
from tests.render.cases import case
from tests.render.written import shown

STEP = LooseStep(
    permutation=(1, 3, 2),
    coarse="<1,3,2>",
    coarse_complexity=1.5,
    fine="<1,2>",
    fine_complexity=2.5,
)
RESULT = TightnessResult(
    metric="max-op",
    complexity="something",
    longest=4,
    permutations=28,
    tight=21,
    semi_tight=22,
    against_tight=STEP,
    against_semi_tight=STEP,
)


def written(form: TableFormat, *results: TightnessResult) -> str:
    return shown(TightnessResults(results), form)


@case("TightnessResults")
def test_columns_of_write_tightness_hold_what_they_name() -> None:
    (row,) = csv.DictReader(written(TableFormat.TSV, RESULT).splitlines(), delimiter="\t")
    document = RESULT.to_dict()
    assert row == {name: str(document[name]) for name in row}
    assert list(row) == ["metric", "complexity", "longest", "permutations", "tight", "semi_tight"]
    (cells,) = [line for line in written(TableFormat.MD, RESULT).splitlines() if "max-op" in line]
    assert [cell.strip() for cell in cells.strip("|").split("|")] == list(row.values())


def test_text_shows_a_counterexample_once() -> None:
    text = written(TableFormat.TEXT, RESULT)
    assert "  tight       no: for 21 of 28\n" in text
    assert "  semi-tight  no: for 22 of 28\n" in text
    assert text.count("1 3 2: <1,3,2> costs 1.5,\n    and finer <1,2> 2.5") == 1
