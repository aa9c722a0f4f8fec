"""Where lines may end."""

from itertools import pairwise

import pytest

from kilter.study.paper.type.line_break import break_places, clusters


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("one two", ["one ", "two"]),
        ("one  two ", ["one  ", "two "]),
        ("well-known", ["well-", "known"]),
        ("10-12", ["10-12"]),
        ("a\u00a0b c", ["a\u00a0b ", "c"]),
        ("猫が好き。犬も", ["猫", "が", "好", "き。", "犬", "も"]),
        ("「猫」ですか", ["「猫」", "で", "す", "か"]),
        ("きょう", ["きょ", "う"]),
        ("コーヒー", ["コー", "ヒー"]),
        ("猫cat猫", ["猫", "cat", "猫"]),
        ("한국어 문장", ["한국어 ", "문장"]),
        ("كتاب جديد", ["كتاب ", "جديد"]),
        ("", [""]),
    ],
)
def test_lines_end_at_blanks_and_hyphens_and_between_letters_that_have_no_blanks(
    text: str, pieces: list[str]
) -> None:
    places = [0, *break_places(text)]
    assert [text[first:end] for first, end in pairwise(places)] == pieces


def test_marks_stay_with_their_letter() -> None:
    assert clusters("e\u0301a\u0300\u0323b") == ["e\u0301", "a\u0300\u0323", "b"]
