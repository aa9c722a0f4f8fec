"""Tables of latencies, of segments and of words."""

import csv
import json

import kilter
from kilter.render.table.table import TableFormat
from tests.render.cases import case
from tests.render.written import shown
from tests.run.test_latency import FEW, LINKS, SOURCE, text

RESULT = kilter.latency(
    {"early": text(), "reference": text(delays=False)},
    links={name: kilter.LinkBatch.of(LINKS) for name in ("early", "reference")},
    trees=kilter.DependencyTreeColumn.of(
        [
            kilter.DependencyTree(line.split(), [-1, *[0] * (len(line.split()) - 1)])
            for line in SOURCE
        ]
    ),
    resampling=FEW,
)


@case("LatencyResult")
def test_columns_of_latencies_hold_what_they_name() -> None:
    rows = list(csv.DictReader(shown(RESULT, TableFormat.TSV).splitlines(), delimiter="\t"))
    assert list(rows[0]) == [
        *("what", "first", "second", "measure", "value", "low", "high", "p", "count")
    ]
    found = {(row["what"], row["first"], row["second"], row["measure"]): row for row in rows}
    lag = RESULT.systems["early"].measures["lag"]
    row = found["system", "early", "", "lag"]
    assert [float(row[name]) for name in ("value", "low", "high")] == list(lag.triple)
    assert row["count"] == str(lag.n) == "9"
    difference = next(each for each in RESULT.differences if each.measure == "linked")
    row = found["difference", "early", "reference", "linked"]
    assert (float(row["value"]), float(row["p"])) == (difference.difference.value, difference.p)
    one = RESULT.constructions[0]
    row = found[one.by, one.system, one.name, "share of forced"]
    assert (float(row["value"]), row["count"]) == (one.share.value, str(one.words))
    assert json.loads(shown(RESULT, TableFormat.JSON)) == RESULT.to_dict()


def test_people_read_what_measures_mean() -> None:
    told = shown(RESULT, TableFormat.TEXT)
    assert "latency in words\nsystem" in told
    assert "LAAL: length-adaptive" in told
    assert "lag = forced + avoidable - anticipated" in told
    assert "early: lag that source words force, by relation" in told
    assert "3 segments are few" in told


def test_segments_and_words_have_rows() -> None:
    segments = RESULT.segment_table()
    assert segments.names == ("system", "segment", "measure", "value")
    chosen = (segments["system"] == "early") & (segments["measure"] == "lag")
    assert segments["segment"][chosen].tolist() == [1, 2, 3]
    words = RESULT.word_table()
    assert words["word"][:5].tolist() == ["yesterday", "he", "saw", "the", "house"]
    assert words["position"][5:9].tolist() == [1, 2, 3, 4]
    assert words["delay"][:5].tolist() == [1, 3, 4, 6, 6]
    assert words["own"][:5].tolist() == [1, 3, 6, 4, 5]
    assert words["needed"][:5].tolist() == [1, 3, 6, 6, 6]
    assert words["forced"][:5].tolist() == [0, 0, 0, 2, 1]
    assert words["anticipated"][2] == 2
