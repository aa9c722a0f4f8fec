"""Readers of human judgments."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kilter.core.errors import InputError, KilterWarning, OptionError
from kilter.io.judgments.reader import JudgmentFormat, read_judgments
from tests.io.judgments.files import HEADER, file, given_scores, said, task
from tests.thorough import examples
from tests.tolerance import close


def test_win_shares_stand_in_for_scores(tmp_path: Path) -> None:
    rows = ["1\tA\tB", "1\tA\tB", "1\tB\tA", "1\tA\tC"]
    found = read_judgments(file(tmp_path, "seg\tbetter\tworse", *rows))
    expected = [[3 / 4, np.nan], [1 / 3, np.nan], [0.0, np.nan]]
    assert np.array_equal(found.score_matrix(2), expected, equal_nan=True)


BAD = [
    (["a\tb", "1\t2"], ":1: is not a table of judgments"),
    (["the cat saw the cat"], ":1: is not a table of judgments: its first line names neither"),
    (["0-0 1-1 2-2", "0-0"], ":1: is not a table of judgments"),
    (["# sent_id = 1", "1\tthe\tthe"], ":1: is not a table of judgments"),
    (["seg\tbetter\tworse", "0\tA\tB"], ":2: seg is '0'; it must be a whole number from 1"),
    (["seg\tbetter\tworse", "1\tA\tA"], ":2: compares a system with itself"),
    (["seg\tbetter\tworse", "1\tA"], ":2: has 2 fields; the header names 3"),
    (["seg\tbetter\tworse\tseg", "1\tA\tB\t1"], ":1: names the column 'seg' twice"),
    (["seg\tbetter\tworse"], ": holds no judgment that can be used"),
    (["system\tsegment\tscore", "A\t1\tgood"], ":2: score is 'good', which is not a number"),
    (["system\tsegment\tscore", "A\t1\tinf"], ":2: score is 'inf', which is not a number"),
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
        ":2: order is '6'; it is a whole number from 1 to 5, or empty",
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


PAIRS = "segment,better,worse\n1,a,b\n"
SURVEY = (
    "participant,questionnaire,position,sentence,system,segment,seconds,control,order\n"
    "1,1,1,s1,a,1,5,,2\n"
)
SCORES = "system,segment,score\na,1,3\n"
MQM = "system\tseg_id\trater\tsource\ttarget\tcategory\tseverity\na\t1\tr\ts\tt\tStyle\tminor\n"


@pytest.mark.parametrize(
    ("name", "content", "choice", "lacking"),
    [
        ("j.csv", PAIRS, {"question": "order"}, "questions"),
        ("j.csv", SCORES, {"question": "order"}, "questions"),
        ("j.tsv", MQM, {"question": "order"}, "questions"),
        ("j.csv", f"{HEADER}\n" + task(1, {"a": 1, "b": 2}), {"question": "order"}, "questions"),
        ("en-de.mqm.seg.score", "a\t3\n", {"question": "order"}, "questions"),
        ("j.csv", PAIRS, {"name": "mqm"}, "files of human scores"),
        ("j.csv", SURVEY, {"name": "mqm"}, "files of human scores"),
        ("en-de.mqm.seg.score", "a\t3\n", {"name": "mqm"}, "files of human scores"),
        ("j.csv", SURVEY, {"pair": "en-de"}, "language pairs"),
        ("en-de.mqm.seg.score", "a\t3\n", {"pair": "en-de"}, "language pairs"),
    ],
)
def test_a_choice_among_what_the_format_does_not_have_is_refused(
    name: str, content: str, choice: dict[str, str], lacking: str, tmp_path: Path
) -> None:
    path = file(tmp_path, content, name=name, end="")
    read_judgments(path)
    with pytest.raises(OptionError, match=f"has no {lacking}, as .*; leave '.*' out"):
        read_judgments(path, **choice)  # type: ignore[arg-type]


def test_a_folder_has_one_format(tmp_path: Path) -> None:
    with pytest.raises(
        OptionError, match=r"is a folder, .* not of the format pairs; name a file in it"
    ):
        read_judgments(str(tmp_path), form=JudgmentFormat.PAIRS)


# Scores of single translations.


def test_assessments_of_one_translation_are_averaged(tmp_path: Path) -> None:
    path = file(tmp_path, "SYS\tSID\tRAW.SCR", "A\t1\t70", "A\t1\t80", "B\t1\tNA", "B\t2\t10.5")
    found = read_judgments(path)
    assert given_scores(found) == {(1, "A"): 75.0, (2, "B"): 10.5}
    assert found.counts == {"rows": 4, "scores": 2, "missing": 1, "repeated": 1}


@pytest.mark.parametrize("cell", ["", "NaN", "nan", "NA", "None", "null", "-"])
def test_a_score_that_is_written_as_missing_is_counted_and_left_out(
    cell: str, tmp_path: Path
) -> None:
    found = read_judgments(file(tmp_path, "system\tsegment\tscore", f"A\t1\t{cell}", "A\t2\t1"))
    assert given_scores(found) == {(2, "A"): 1.0}
    assert found.counts["missing"] == 1


def test_all_systems_with_a_score_in_a_segment_form_pairs(tmp_path: Path) -> None:
    rows = ["A\t1\t0.5", "B\t1\t0.75", "C\t1\t0.25", "A\t2\t1"]
    found = read_judgments(file(tmp_path, "system\tsegment\tscore", *rows))
    assert said(found) == []
    assert said(found.with_pairs()) == [(1, "A", "B", -1), (1, "A", "C", 1), (1, "B", "C", 1)]
    outcomes = [outcome for *_, outcome in said(found.with_pairs(threshold=0.25))]
    assert outcomes == [0, 0, 1]


# Pairs of which one is better.


def test_pairs_name_the_better_and_the_worse_system(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse\ttie", "2\tA\tB\t0", "2\tB\tA\t0", "3\tA\tB\t1")
    found = read_judgments(path)
    assert said(found) == [(2, "A", "B", 1), (2, "B", "A", 1), (3, "A", "B", 0)]
    assert (found.counts["repeated"], found.counts["ties"]) == (1, 1)


def test_daRR_files_separate_fields_by_blanks(tmp_path: Path) -> None:  # noqa: N802 - its name
    path = file(tmp_path, "LP DATA SID BETTER WORSE", "cs-en newstest2018 4 x.1 y.2")
    assert said(read_judgments(path, pair="cs-en")) == [(4, "x.1", "y.2", 1)]


# Judgments in tables without a header.


def test_rankings_of_wmt_need_no_header(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(2, {"B": 1, "A": 1})]
    headed = read_judgments(file(tmp_path, HEADER, *rows))
    path = file(tmp_path, *rows)
    with pytest.warns(
        KilterWarning, match="has no header; its columns are taken as srclang, trglang"
    ):
        found = read_judgments(path)
    assert said(found) == said(headed)
    assert len(said(found)) == 2
    assert found.pairs.line.tolist() == [line - 1 for line in headed.pairs.line.tolist()]


@pytest.mark.parametrize(
    "lines",
    [
        ["1\tA\tB", "2\tB\tA"],
        ["1 A B", "2 B A"],
        ["1,A,B", "2,B,A"],
        ["1\tde-en\tA\tde-en\tB", "2\tde-en\tB\tde-en\tA"],
        ["1 A > B", "2 A < B"],
    ],
)
def test_pairs_need_no_header(lines: list[str], tmp_path: Path) -> None:
    path = file(tmp_path, *lines)
    with pytest.warns(KilterWarning, match="has no header; its columns are taken as segment, "):
        assert said(read_judgments(path)) == [(1, "A", "B", 1), (2, "B", "A", 1)]


def test_equal_systems_are_a_tie_and_other_signs_are_refused(tmp_path: Path) -> None:
    path = file(tmp_path, "1 A = B", "1 A > C")
    with pytest.warns(KilterWarning):
        assert [outcome for *_, outcome in said(read_judgments(path))] == [0, 1]
    wrong = file(tmp_path, "1 A = B", "1 A >> C")
    with pytest.warns(KilterWarning), pytest.raises(InputError, match=":2: '>>' stands between"):
        read_judgments(wrong)
    short = file(tmp_path, "1 A B", "1 A")
    with (
        pytest.warns(KilterWarning),
        pytest.raises(InputError, match=":2: has 2 fields; there are 3"),
    ):
        read_judgments(short)


def test_a_field_of_the_first_row_may_hold_a_comma(tmp_path: Path) -> None:
    path = file(tmp_path, '1,A,"B, or so"', '2,"B, or so",A')
    with pytest.warns(KilterWarning):
        found = said(read_judgments(path))
    assert found == [(1, "A", "B, or so", 1), (2, "B, or so", "A", 1)]


def test_a_header_stays_a_header(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a table of judgments"):
        read_judgments(file(tmp_path, "x,y,z", "1,2,3"))


NAMES = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=3)


@given(
    tasks=st.lists(
        st.tuples(
            st.integers(1, 3000),
            st.dictionaries(NAMES, st.integers(1, 5), min_size=2, max_size=5),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_any_rankings_are_the_same_with_their_header_and_without(
    tasks: list[tuple[int, dict[str, int]]],
) -> None:
    rows = [task(segment, ranks) for segment, ranks in tasks]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", KilterWarning)
        headed = read_judgments(file(Path(folder), HEADER, *rows))
        found = read_judgments(file(Path(folder), *rows))
    assert said(found) == said(headed)
    assert len(said(found)) == sum(len(ranks) * (len(ranks) - 1) // 2 for _, ranks in tasks)


@given(
    pairs=st.lists(
        st.tuples(st.integers(1, 3000), NAMES, NAMES, st.sampled_from("<=>")), min_size=1
    )
)
def test_any_comparisons_are_read_as_they_were_written(
    pairs: list[tuple[int, str, str, str]],
) -> None:
    chosen = [row for row in pairs if row[1] != row[2]]
    assume(chosen)
    lines = [f"{segment} {one} {sign} {other}" for segment, one, other, sign in chosen]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", KilterWarning)
        found = said(read_judgments(file(Path(folder), *lines)))
    expected = []
    for segment, one, other, sign in chosen:
        better, worse = (other, one) if sign == "<" else (one, other)
        expected.append((segment, better, worse, 0 if sign == "=" else 1))
    assert found == expected


# Which language pair judgments are about.


def test_a_language_pair_is_chosen_where_there_are_several(tmp_path: Path) -> None:
    rows = [task(1, {"A": 1, "B": 2}), task(1, {"B": 1, "A": 2}, pair="French,English")]
    path = file(tmp_path, HEADER, *rows)
    for name in ("french-english", "fr-en", "fra-eng"):
        assert said(read_judgments(path, pair=name)) == [(1, "B", "A", 1)]
    with pytest.raises(InputError, match="pairs: Czech-English, French-English; choose") as raised:
        read_judgments(path)
    assert str(raised.value).endswith("such as pair='Czech-English'")
    assert raised.value.for_command().endswith("such as --pair Czech-English")
    with pytest.raises(InputError, match="has no judgment of de-en"):
        read_judgments(path, pair="de-en")


def test_a_pair_cannot_be_chosen_from_a_table_that_names_none(tmp_path: Path) -> None:
    path = file(tmp_path, "seg\tbetter\tworse", "1\tA\tB")
    with pytest.raises(InputError, match="does not say what language pair a row belongs to"):
        read_judgments(path, pair="de-en")


# Folders of mt-metrics-eval.


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


# Errors by category and severity.


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


def test_errors_are_counted_by_row_annotator_and_translation(tmp_path: Path) -> None:
    """A translation that two people annotate is a score, and a repeated one."""
    given = [("A", 1, "x"), ("A", 1, "x"), ("A", 1, "y"), ("A", 1, "z"), ("B", 1, "x")]
    rows = [f"{system}\t{segment}\t{rater}\ts\tt\tStyle\tminor" for system, segment, rater in given]
    found = read_judgments(file(tmp_path, MQM.splitlines()[0], *rows, name="errors.tsv"))
    assert found.counts == {"rows": 5, "judges": 3, "scores": 2, "repeated": 2}
    assert given_scores(found) == {(1, "A"): close(-4 / 3), (1, "B"): close(-1.0)}
