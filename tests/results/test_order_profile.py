"""Tables of the word order of treebanks."""

import csv
import json

import kilter
from kilter.render.table.table import TableFormat
from tests.render.cases import case
from tests.render.written import shown

TREE = kilter.DependencyTree(
    ["she", "reads", "old", "books"], [1, -1, 3, 1], labels=["nsubj", "root", "amod", "obj"]
)
RESULT = kilter.reorder.profile(
    {"en": kilter.DependencyTreeColumn.of([TREE, TREE])},
    resampling=kilter.Resampling(resamples=20),
)


@case("OrderProfile")
def test_columns_of_profiles_hold_what_they_name() -> None:
    rows = list(csv.DictReader(shown(RESULT, TableFormat.CSV).splitlines()))
    assert list(rows[0]) == ["treebank", "relation", "measure", "value", "low", "high", "count"]
    found = {(row["treebank"], row["relation"], row["measure"]): row for row in rows}
    assert found["en", "", "sentences"]["value"] == "2"
    length = RESULT.treebanks["en"].measures["length"]
    row = found["en", "", "length"]
    assert [float(row[name]) for name in ("value", "low", "high")] == list(length.triple)
    assert row["count"] == "6"
    assert float(found["en", "obj", "length"]["value"]) == 2.0
    assert found["en", "amod", "head final"]["value"] == "1.0"
    assert found["en", "", "crossing links"]["value"] == ""
    assert json.loads(shown(RESULT, TableFormat.JSON)) == RESULT.to_dict()


def test_people_read_treebanks_and_relations() -> None:
    told = shown(RESULT, TableFormat.TEXT)
    assert "word order\ntreebank  sentences  words" in told
    assert "relation  words" in told
    assert "crossing links" not in told.partition("length: words")[0]
