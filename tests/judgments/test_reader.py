"""Readers of human judgments."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.errors import InputError
from kilter.judgments.reader import JudgmentFormat, read_judgments
from kilter.judgments.survey_export import SurveyQuestion
from kilter.structures.judgment.judgments import Judgments, Repeated, Unscored
from tests.thorough import examples
from tests.tolerance import close

HEADER = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{k}Number,system{k}Id" for k in range(1, 6))
    + ","
    + ",".join(f"system{k}rank" for k in range(1, 6))
)


def task(
    segment: int, ranks: dict[str, int], *, pair: str = "Czech,English", judge: str = "j"
) -> str:
    slots = [*ranks.items(), *[("", -1)] * (5 - len(ranks))]
    ids = ",".join(f"{k},{name}" for k, (name, _) in enumerate(slots))
    return f"{pair},{segment},doc,{segment},{judge},{ids}," + ",".join(str(r) for _, r in slots)


def file(folder: Path, *lines: str, name: str = "judgments.csv", end: str = "\n") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + end for line in lines).encode())
    return str(path)


def said(judgments: Judgments) -> list[tuple[int, str, str, int]]:
    """Return the pairs as people would say them: segment from 1, first, second, outcome."""
    pairs = judgments.pairs
    return [
        (int(segment) + 1, judgments.systems[a], judgments.systems[b], int(outcome))
        for segment, a, b, outcome in zip(
            pairs.segment, pairs.first, pairs.second, pairs.outcome, strict=True
        )
    ]


def given_scores(judgments: Judgments) -> dict[tuple[int, str], float]:
    scores = judgments.scores
    return {
        (int(segment) + 1, judgments.systems[system]): float(value)
        for segment, system, value in zip(scores.segment, scores.system, scores.value, strict=True)
    }


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_two_translations_of_a_task_are_a_pair(tmp_path: Path, end: str) -> None:
    ranks = {"A": 1, "B": 3, "C": 3, "D": 2, "E": 5}
    found = read_judgments(file(tmp_path, HEADER, task(7, ranks), end=end))
    assert said(found) == [
        (7, a, b, int(np.sign(ranks[b] - ranks[a]))) for a, b in combinations("ABCDE", 2)
    ]
    assert given_scores(found) == {(7, s): close(1 - (ranks[s] - 1) / 5) for s in "ABCDE"}
    assert found.counts["pairs"] == 10
    assert found.counts["ties"] == 1
    assert found.counts["judges"] == found.counts["tasks"] == 1


def test_missing_ranks_and_repeated_pairs_are_counted(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(1, {"B": 2, "A": 1}), task(2, {"A": 4, "B": -1})]
    found = read_judgments(file(tmp_path, HEADER, *rows))
    assert said(found) == [(1, "A", "B", 1), (1, "B", "A", -1)]
    assert found.counts["missing"] == 1
    assert found.counts["repeated"] == 1
    assert found.counts["tasks_without_pair"] == 1
    assert len(found.once(Repeated.FIRST).pairs) == 1
    assert found.once(Repeated.FIRST).counts["repeated_left_out"] == 1
    assert len(found.once(Repeated.COUNT).pairs) == 2


def test_a_language_pair_is_chosen_where_there_are_several(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(1, {"B": 1, "A": 2}, pair="French,English")]
    path = file(tmp_path, HEADER, *rows)
    assert said(read_judgments(path, pair="french-english")) == [(1, "B", "A", 1)]
    with pytest.raises(InputError, match="pairs: Czech-English, French-English; choose") as raised:
        read_judgments(path)
    assert str(raised.value).endswith("such as pair='Czech-English'")
    assert raised.value.for_command().endswith("such as --pair Czech-English")
    with pytest.raises(InputError, match="has no judgment of de-en"):
        read_judgments(path, pair="de-en")


def test_the_layout_of_2016_has_a_pair_a_row(tmp_path: Path) -> None:
    header = "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["ces,eng,3,3,j,A,1,B,2,9", "ces,eng,3,3,j,A,1,C,1,9", "ces,eng,4,4,j,A,2,C,1,10"]
    found = read_judgments(file(tmp_path, header, *rows))
    assert said(found) == [(3, "A", "B", 1), (3, "A", "C", 0), (4, "A", "C", -1)]
    assert found.pairs.task.tolist() == [0, 0, 1]


def test_identical_outputs_that_were_judged_as_one_become_several(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER, task(1, {"newstest2015.cs-en.A+newstest2015.cs-en.B": 1, "C": 2}))
    found = read_judgments(path, outputs=dict.fromkeys("ABC", ()))
    assert said(found) == [(1, "A", "C", 1), (1, "B", "C", 1)]
    assert found.counts["identical_in_task"] == 1
    assert given_scores(found) == {(1, "A"): 1.0, (1, "B"): 1.0, (1, "C"): 0.5}


def test_the_same_text_of_two_systems_counts_once(tmp_path: Path) -> None:
    ranks = {"A": 2, "B": 2, "C": 1, "D": 3, "E": 4}
    outputs = {name: [text] for name, text in zip("ABCDE", "aabcd", strict=True)}
    path = file(tmp_path, HEADER, task(1, ranks))
    found = given_scores(read_judgments(path, outputs=outputs))
    assert list(found.values()) == close([0.75, 0.75, 1.0, 0.5, 0.25])
    assert given_scores(read_judgments(path))[1, "E"] == close(0.4)


def test_a_text_that_was_shown_counts_without_a_rank(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER, task(1, {"A": 1, "B": 5, "C": -1, "D": 2, "E": 3}))
    assert given_scores(read_judgments(path))[1, "B"] == close(0.2)


def test_a_ranking_over_several_rows_is_one_task(tmp_path: Path) -> None:
    header = "srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID"
    rows = ["3,j,A,1,B,2,9", "3,j,A,1,C,3,9", "3,j,B,2,C,3,9", "4,j,A,2,B,1,9", "3,k,A,2,B,1,9"]
    found = read_judgments(file(tmp_path, header, *rows))
    assert found.pairs.task.tolist() == [0, 0, 0, 1, 2]
    assert found.counts["tasks"] == 3
    assert sorted(found.scores.value) == close([1 / 3, 0.5, 0.5, 2 / 3, 1, 1, 1])
    with pytest.raises(InputError, match=r"csv:3: ranks 'A' 2, but another row of the same task"):
        read_judgments(file(tmp_path, header, rows[0], "3,j,A,2,C,3,9"))


def test_human_scores_that_differ_by_rounding_are_tied(tmp_path: Path) -> None:
    rows = ["A 1 0.8", "A 1 0.4", "B 1 0.6", "C 1 0.8", "A 2 0.1", "B 2 0.2", "C 2 0.3"]
    rows += ["A 3 0.6", "B 3 0.9", "C 3 0.7"]
    lines = [row.replace(" ", "\t") for row in rows]
    found = read_judgments(file(tmp_path, "system\tseg\tscore", *lines))
    ties = [
        int(np.count_nonzero(found.with_pairs(threshold=threshold).pairs.outcome == 0))
        for threshold in (0.0, 0.1, 0.2, 0.3)
    ]
    assert ties == [1, 4, 8, 9]
    matrix = found.score_matrix(3)
    assert matrix[0, 0] == matrix[1, 0]


def test_pairs_name_the_better_and_the_worse_system(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse\ttie", "2\tA\tB\t0", "2\tB\tA\t0", "3\tA\tB\t1")
    found = read_judgments(path)
    assert said(found) == [(2, "A", "B", 1), (2, "B", "A", 1), (3, "A", "B", 0)]
    assert (found.counts["repeated"], found.counts["ties"]) == (1, 1)


def test_daRR_files_separate_fields_by_blanks(tmp_path: Path) -> None:  # noqa: N802 - its name
    path = file(tmp_path, "LP DATA SID BETTER WORSE", "cs-en newstest2018 4 x.1 y.2")
    assert said(read_judgments(path, pair="cs-en")) == [(4, "x.1", "y.2", 1)]


def test_assessments_of_one_translation_are_averaged(tmp_path: Path) -> None:
    path = file(tmp_path, "SYS\tSID\tRAW.SCR", "A\t1\t70", "A\t1\t80", "B\t1\tNA", "B\t2\t10.5")
    found = read_judgments(path)
    assert given_scores(found) == {(1, "A"): 75.0, (2, "B"): 10.5}
    assert found.counts == {"rows": 4, "scores": 2, "missing": 1, "repeated": 1}


def test_all_systems_with_a_score_in_a_segment_form_pairs(tmp_path: Path) -> None:
    rows = ["A\t1\t0.5", "B\t1\t0.75", "C\t1\t0.25", "A\t2\t1"]
    found = read_judgments(file(tmp_path, "system\tsegment\tscore", *rows))
    assert said(found) == []
    assert said(found.with_pairs()) == [(1, "A", "B", -1), (1, "A", "C", 1), (1, "B", "C", 1)]
    outcomes = [outcome for *_, outcome in said(found.with_pairs(threshold=0.25))]
    assert outcomes == [0, 0, 1]


def test_errors_weigh_by_severity_and_category(tmp_path: Path) -> None:
    rows = [
        "A\t1\tr1\tAccuracy/Omission\tMajor",
        "A\t1\tr1\tFluency/Punctuation\tMinor",
        "A\t1\tr2\tNo-error\tNo-error",
        "B\t1\tr1\tNon-translation!\tMajor",
        "B\t2\tr1\tStyle\tNeutral",
    ]
    found = read_judgments(file(tmp_path, "system\tseg_id\trater\tcategory\tseverity", *rows))
    assert given_scores(found) == {(1, "A"): close(-5.1 / 2), (1, "B"): -25.0, (2, "B"): 0.0}
    assert found.counts["judges"] == 2


def test_a_folder_of_mt_metrics_eval_holds_human_scores(tmp_path: Path) -> None:
    rows = ["A\t-1.0", "A\tNone", "B\t0.0", "B\t-5.0"]
    path = file(tmp_path, *rows, name="human-scores/en-de.mqm.seg.score")
    for where in (str(tmp_path), path):
        found = read_judgments(where)
        assert given_scores(found) == {(1, "A"): -1.0, (1, "B"): 0.0, (2, "B"): -5.0}
        assert found.counts == {"rows": 4, "scores": 3, "missing": 1}
    file(tmp_path, *rows, name="human-scores/en-de.wmt.seg.score")
    with pytest.raises(InputError, match="2 of its files of human segment scores fit") as raised:
        read_judgments(str(tmp_path))
    assert str(raised.value).endswith("choose one, such as judgment_name='mqm'")
    file(tmp_path, *rows, name="human-scores/zh-en.mqm.seg.score")
    with pytest.raises(InputError, match="3 of its files") as raised:
        read_judgments(str(tmp_path))
    assert raised.value.for_command().endswith("choose one, such as --pair en-de")
    assert read_judgments(str(tmp_path), pair="en-de", name="mqm").source == path


@pytest.mark.parametrize(
    ("question", "score"), [(SurveyQuestion.ORDER, 0.25), (SurveyQuestion.HOLISTIC, 1.0)]
)
def test_answers_of_the_survey_become_scores(
    tmp_path: Path, question: SurveyQuestion, score: float
) -> None:
    rows = ["p1,q1,1,wmt14_online.A.de-en #12,5,2", "p2,q1,1,wmt14_B.de-en #3,,"]
    path = file(tmp_path, "participant,questionnaire,position,sentence,holistic,order", *rows)
    found = read_judgments(path, question=question)
    assert given_scores(found) == {(12, "online.A"): score}
    assert found.counts["missing"] == 1


@pytest.mark.parametrize("column", ["system", "segment"])
def test_a_system_and_a_segment_count_only_together(tmp_path: Path, column: str) -> None:
    header = f"participant,questionnaire,position,sentence,holistic,order,{column}"
    path = file(tmp_path, header, "p1,q1,1,wmt14_online.A.de-en #12,5,2,7")
    assert given_scores(read_judgments(path, question=SurveyQuestion.HOLISTIC)) == {
        (12, "online.A"): 1.0
    }


def test_systems_are_numbered_along_the_outputs(tmp_path: Path) -> None:
    found = read_judgments(file(tmp_path, "seg\tbetter\tworse", "1\tB\tA", "2\tC\tA"))
    matched = found.of_systems(["A", "B", "C", "D"], 2)
    assert said(matched) == said(found)
    assert matched.counts["systems_without_judgment"] == 1
    fewer = found.of_systems(["A", "B"], 2, unscored=Unscored.SKIP)
    assert said(fewer) == [(1, "B", "A", 1)]
    assert (fewer.counts["unscored"], fewer.counts["systems_without_output"]) == (1, 1)
    with pytest.raises(
        InputError, match=r"csv:3: judges 'C', of which there is no output; there are: A, B"
    ):
        found.of_systems(["A", "B"], 2)
    with pytest.raises(InputError, match=r"csv:3: judges segment 2, but there is 1 segment;"):
        found.of_systems(["A", "B", "C"], 1)


def test_win_shares_stand_in_for_scores(tmp_path: Path) -> None:
    rows = ["1\tA\tB", "1\tA\tB", "1\tB\tA", "1\tA\tC"]
    found = read_judgments(file(tmp_path, "seg\tbetter\tworse", *rows))
    expected = [[3 / 4, np.nan], [1 / 3, np.nan], [0.0, np.nan]]
    assert np.array_equal(found.score_matrix(2), expected, equal_nan=True)


BAD = [
    (["a\tb", "1\t2"], ":1: is no table of judgments"),
    (["seg\tbetter\tworse", "0\tA\tB"], ":2: seg is '0'; it must be a whole number from 1"),
    (["seg\tbetter\tworse", "1\tA\tA"], ":2: compares a system with itself"),
    (["seg\tbetter\tworse", "1\tA"], ":2: has 2 fields; the header names 3"),
    (["seg\tbetter\tworse\tseg", "1\tA\tB\t1"], ":1: names the column 'seg' twice"),
    (["seg\tbetter\tworse"], ": holds no judgment that can be used"),
    (["system\tsegment\tscore", "A\t1\tgood"], ":2: score is 'good', which is no number"),
    (["system\tsegment\tscore", "A\t1\tinf"], ":2: score is 'inf', which is no number"),
    (["system\tsegment\tscore", "A\t1\t"], ": holds no judgment that can be used"),
    ([HEADER, task(1, {"A": 0})], ":2: system1rank is '0'; a rank is a whole number from 1 to 5"),
    ([HEADER, task(1, {"A": 6})], ":2: system1rank is '6'; a rank is a whole number from 1 to 5"),
    (
        [HEADER, task(1, {"A": 2, "B": 1}), task(1, {"A": 1, "C": 2}).replace(",C,", ",A,")],
        ":3: ranks 'A' twice; a task ranks a system once",
    ),
    (["srcIndex,system1Id,system1rank,system2Id", "1,A,1,B"], ":1: has no column 'system2rank'"),
    (["seg\tbetter\tworse", "1\tA\tB", "1\tA\t "], ":3: worse is empty; name a system"),
    (["system\tsegment\tscore", "\t1\t2"], ":2: system is empty; name a system"),
    (
        ["system\tseg_id\tcategory\tseverity", "\t1\tStyle\tMinor"],
        ":2: system is empty; name a system",
    ),
    ([HEADER, task(1, {"": 1})], ":2: system1Id is empty, but it has a rank"),
    (
        ["system\tseg_id\tcategory\tseverity", "A\t1\tStyle\tHuge"],
        ":2: severity is 'Huge'; it can be major",
    ),
    (
        ["participant,sentence,holistic,order", "p,wmt14_A.de-en #1,1,6"],
        ":2: order is '6'; boxes are numbered 1 to 5",
    ),
    (
        ["participant,sentence,holistic,order", "p,first,1,1"],
        ":2: the sentence is called 'first'; write",
    ),
]


@pytest.mark.parametrize(("lines", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_judgments_are_refused_with_their_line(
    lines: list[str], message: str, tmp_path: Path
) -> None:
    path = file(tmp_path, *lines)
    with pytest.raises(InputError) as raised:
        read_judgments(path)
    assert f"{path}{message}" in str(raised.value)


def test_a_format_can_be_insisted_on(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse", "1\tA\tB")
    assert said(read_judgments(path, form=JudgmentFormat.PAIRS)) == [(1, "A", "B", 1)]
    for form in (JudgmentFormat.MQM, JudgmentFormat.SURVEY):
        with pytest.raises(InputError, match=f"has not the columns of the format {form}"):
            read_judgments(path, form=form)


SAMPLES = [
    [HEADER, task(1, {"A": 1, "B": 2, "C": 2}), task(2, {"A": 3, "B": 1})],
    ["seg\tbetter\tworse", "1\tA\tB", "2\tB\tC"],
    ["system\tsegment\tscore", "A\t1\t0.5", "B\t1\t0.25"],
    ["system\tseg_id\trater\tcategory\tseverity", "A\t1\tr\tStyle\tMinor"],
    ["participant,sentence,holistic,order", "p,wmt14_A.de-en #1,1,3"],
]


@examples(300)
@given(data=st.data())
def test_mutated_files_are_read_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytearray(
        "".join(f"{line}\n" for line in data.draw(st.sampled_from(SAMPLES))).encode()
    )
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.sampled_from(b'\x00\xff\t\n\r ,"-019AZ#.'))
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(bytes(content))
    try:
        found = read_judgments(str(path))
    except InputError as error:
        assert str(error).startswith(str(path))  # noqa: PT017 - either outcome is right
    else:
        assert len(found.pairs) + len(found.scores) > 0


def _mqm_weight(category: str, severity: str) -> float:
    """Return the weight of an error by the table of weights, row by row. Freitag et al. (2021)"""
    if severity in ("Major", "Critical"):
        return 25.0 if severity == "Major" and category == "Non-translation!" else 5.0
    if severity == "Minor":
        return 0.1 if category == "Fluency/Punctuation" else 1.0
    return 0.0


MQM_CATEGORIES = ["Non-translation!", "Fluency/Punctuation", "Accuracy/Omission", "Style"]


@pytest.mark.parametrize("severity", ["Major", "Critical", "Minor", "Neutral", "No-error"])
@pytest.mark.parametrize("category", MQM_CATEGORIES)
def test_every_severity_weighs_as_the_table_says_in_every_category(
    category: str, severity: str, tmp_path: Path
) -> None:
    rows = [f"A\t1\tr1\t{category}\t{severity}", f"A\t1\tr1\t{category}\t{severity}"]
    found = read_judgments(file(tmp_path, "system\tseg_id\trater\tcategory\tseverity", *rows))
    assert given_scores(found) == {(1, "A"): close(-2 * _mqm_weight(category, severity))}


def test_the_prefix_of_a_data_set_is_left_off_where_the_output_is_called_without_it(
    tmp_path: Path,
) -> None:
    long = "newstest2013.de-en.A"
    path = file(tmp_path, "seg\tbetter\tworse", f"1\t{long}\tB")
    assert said(read_judgments(path, outputs=dict.fromkeys("AB", ()))) == [(1, "A", "B", 1)]
    for outputs in ({long: (), "A": (), "B": ()}, {long: (), "B": ()}, {"B": ()}, {}):
        assert said(read_judgments(path, outputs=outputs)) == [(1, long, "B", 1)]


def test_a_pair_cannot_be_chosen_from_a_table_that_names_none(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse", "1\tA\tB")
    with pytest.raises(InputError, match="does not say what language pair a row belongs to"):
        read_judgments(path, pair="de-en")


def test_a_table_with_one_column_of_a_ranking_is_no_ranking(tmp_path: Path) -> None:
    for column in ("system1Id", "system1rank"):
        path = file(tmp_path, f"system\tsegment\tscore\t{column}", "A\t1\t0.5\t1")
        assert given_scores(read_judgments(path)) == {(1, "A"): 0.5}
