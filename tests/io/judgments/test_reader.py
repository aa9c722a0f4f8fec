"""Readers of human judgments."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.io.judgments.reader import JudgmentFormat, read_judgments
from tests.io.judgments.files import HEADER, file, said, task
from tests.thorough import examples


def test_win_shares_stand_in_for_scores(tmp_path: Path) -> None:
    rows = ["1\tA\tB", "1\tA\tB", "1\tB\tA", "1\tA\tC"]
    found = read_judgments(file(tmp_path, "seg\tbetter\tworse", *rows))
    expected = [[3 / 4, np.nan], [1 / 3, np.nan], [0.0, np.nan]]
    assert np.array_equal(found.score_matrix(2), expected, equal_nan=True)


BAD = [
    (["a\tb", "1\t2"], ":1: is no table of judgments"),
    (["the cat saw the cat"], ":1: is no table of judgments: its first line names neither"),
    (["0-0 1-1 2-2", "0-0"], ":1: is no table of judgments"),
    (["# sent_id = 1", "1\tthe\tthe"], ":1: is no table of judgments"),
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
