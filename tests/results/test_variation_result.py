"""Tables of variation."""

import csv
import json

import kilter
from kilter.render.chart.variation_picture import variation_picture
from kilter.render.table.table import TableFormat
from tests.render.cases import case
from tests.render.written import shown
from tests.run.test_variation import FEW, SOURCE, translations

RESULT = kilter.variation(
    translations(),
    trees=kilter.DependencyTreeColumn.of(
        [
            kilter.DependencyTree(line.split(), [-1, *[0] * (len(line.split()) - 1)])
            for line in SOURCE
        ]
    ),
    people=["close", "usual"],
    resampling=FEW,
)


@case("VariationResult")
def test_columns_of_variation_hold_what_they_name() -> None:
    rows = list(csv.DictReader(shown(RESULT, TableFormat.TSV).splitlines(), delimiter="\t"))
    found = {(row["what"], row["first"], row["second"], row["measure"]): row for row in rows}
    entropy = RESULT.measures["HTra"]
    row = found["all", "", "", "HTra"]
    assert [float(row[name]) for name in ("value", "low", "high")] == list(entropy.triple)
    assert row["count"] == "6"
    assert found["system", "free", "", "sacr"]["value"] == ""
    pair = RESULT.pairs[-1]
    assert (
        float(found["pair", pair.first, pair.second, "same order"]["value"])
        == pair.same_order.value
    )
    told = RESULT.differences[0]
    row = found["difference", told.first, told.second, told.measure]
    assert (float(row["value"]), float(row["p"])) == (told.difference.value, told.p)
    shared = RESULT.agreement["free"]["same order"]
    assert float(found["with people", "free", "", "same order"]["value"]) == shared.value
    one = RESULT.constructions[0]
    row = found[one.by, one.name, "", "HCross"]
    assert (float(row["value"]), row["count"]) == (one.measures["HCross"].value, str(one.words))
    assert json.loads(shown(RESULT, TableFormat.JSON)) == RESULT.to_dict()


def test_people_read_the_most_literal_first() -> None:
    told = shown(RESULT, TableFormat.TEXT)
    places = [told.index(f"\n{name} ") for name in ("close", "usual", "free")]
    assert places == sorted(places)
    assert "pairs, most alike first" in told
    assert "what varies, by relation" in told
    assert "agreement with people" in told
    assert "2 segments are few" in told


def test_segments_words_and_a_picture() -> None:
    segments = RESULT.segment_table()
    chosen = (segments["system"] == "usual") & (segments["measure"] == "crossings")
    assert segments["value"][chosen][0] == 0.2
    words = RESULT.word_table()
    assert words.names[:7] == ("Session", "STseg", "Id", "SToken", "SGroup", "TGroup", "Cross")
    assert words["TGroup"][:5].tolist() == ["er", "hat", "gelesen", "das", "Buch"]
    picture = variation_picture(RESULT)
    assert "Translations of one source" in picture
    assert "2 segments, 6 source words, 3 translations" in picture
