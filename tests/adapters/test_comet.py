"""Rows as users of COMET have them."""

import pytest

import kilter
from kilter.adapters.comet import predict
from kilter.core.errors import InputError, OptionError

ROWS = [
    {"src": "x", "mt": "the mat sat on the cat", "ref": "the cat sat on the mat"},
    {"src": "y", "mt": "a b", "ref": "a b"},
]


def test_each_row_has_a_score_and_the_system_one() -> None:
    found = predict(ROWS, metric="kendall")
    assert found.scores == pytest.approx([3 / 15, 1.0])
    assert found.system_score == pytest.approx(0.6)


def test_a_prediction_is_read_by_name_and_by_place_as_comets_is() -> None:
    found = predict(ROWS, metric="kendall")
    assert found["scores"] is found[0] is found.scores
    assert found["system_score"] == found[1] == found[-1] == found.system_score
    assert dict(found) == {"scores": found.scores, "system_score": found.system_score}
    assert ("scores" in found, "score" in found, len(found)) == (True, False, 2)
    with pytest.raises(KeyError, match="score"):
        found["score"]
    with pytest.raises(IndexError):
        found[2]


def test_the_default_is_pef_of_kilter() -> None:
    result = kilter.score(
        [row["mt"] for row in ROWS], [row["ref"] for row in ROWS], metrics=["pef"]
    )
    assert predict(ROWS).scores == result.segment_arrays["pef", "system"].tolist()
    assert predict(ROWS).system_score == result.system["pef"].score


def test_a_source_is_not_needed() -> None:
    bare = [{key: row[key] for key in ("mt", "ref")} for row in ROWS]
    assert predict(bare) == predict(ROWS)


def test_calls_of_comet_work_as_they_are() -> None:
    assert predict(ROWS, batch_size=8, gpus=1) == predict(ROWS)


def test_a_row_without_its_parts_is_refused_by_number() -> None:
    with pytest.raises(InputError, match="row 1: has no mt and no ref"):
        predict([ROWS[0], {"src": "x"}])
    with pytest.raises(InputError, match="row 0: has no ref"):
        predict([{"mt": "x"}])
    with pytest.raises(InputError, match="no segment"):
        predict([])


def test_many_rows_may_all_have_a_source() -> None:
    assert len(predict(ROWS * 150).scores) == 300


def test_a_source_that_only_some_rows_have_is_refused_by_number() -> None:
    bare = {key: ROWS[1][key] for key in ("mt", "ref")}
    with pytest.raises(InputError, match="row 1: has no src, but row 0 has one; give every row"):
        predict([ROWS[0], bare])
    with pytest.raises(InputError, match="row 0: has no src, but row 2 has one; give every row"):
        predict([bare, bare, ROWS[0]])
    with pytest.raises(InputError, match="row 2: has no src, but row 0 has one; give every row"):
        predict([ROWS[0], ROWS[1], bare])


def test_what_needs_more_than_rows_is_refused() -> None:
    with pytest.raises(OptionError, match="crossings needs source-links"):
        predict(ROWS, metric="crossings")
