"""Levels and visual order of text in both directions."""

import random

import pytest

from kilter.study.paper.type.bidirectional import levels, starts_leftward, visual_runs
from tests.thorough import tried

# Capitals stand for letters that run to the left, as in the examples of Unicode Standard Annex 9.
_LEFTWARD = {chr(ord("A") + number): chr(ord("א") + number) for number in range(26)}
_BACK = {letter: capital for capital, letter in _LEFTWARD.items()}
_MIRRORED = dict(zip("()[]<>“”", ")(][><”“", strict=True))
_HIDDEN = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def shown(text: str, *, is_leftward: bool = False) -> str:
    """Return a text as it is seen from left to right, in capitals again."""
    real = "".join(_LEFTWARD.get(letter, letter) for letter in text)
    out = ""
    for first, end, leftward in visual_runs(levels(real, is_leftward=is_leftward)):
        part = real[first:end]
        out += "".join(_MIRRORED.get(letter, letter) for letter in part[::-1]) if leftward else part
    return "".join(_BACK.get(letter, letter) for letter in out if letter not in _HIDDEN)


@pytest.mark.parametrize(
    ("text", "is_leftward", "seen"),
    [
        # The worked examples of the annex, with isolates and embeddings around what is in the other direction.
        ("car means CAR.", False, "car means RAC."),
        ("car MEANS CAR.", True, ".RAC SNAEM car"),
        ("he said “\u2067car MEANS CAR\u2069.”", False, "he said “RAC SNAEM car.”"),
        ("DID YOU SAY “\u2066he said car MEANS CAR\u2069”?", True, "?“he said car RAC SNAEM” YAS UOY DID"),
        ("he said \u202bcar MEANS CAR\u202c.", False, "he said RAC SNAEM car."),
        # Numbers stay as they are; signs between them, and beside them, go with them.
        ("A 12.50% B", True, "B 12.50% A"),
        ("A 12 B", False, "B 12 A"),
        ("tel. A 1-2, B", False, "tel. B ,1-2 A"),
        # Brackets go with what they hold.
        ("A (b) C", True, "C (b) A"),
        ("a (B) c", False, "a (B) c"),
        ("A(B)c", False, "(B)Ac"),
        ("a (B c) D", False, "a (B c) D"),
        ("A (b C) D", False, "A (b C) D"),
        # Overrides.
        ("\u202eabc\u202c d", False, "cba d"),
        ("\u202dAB\u202c C", True, "C AB"),
        # Blanks at the end stay at the end of the line's direction.
        ("A ", False, "A "),
        ("a ", True, " a"),
    ],
)  # fmt: skip
def test_text_in_both_directions_is_seen_in_the_order_of_the_standard(
    text: str, is_leftward: int, seen: str
) -> None:
    assert shown(text, is_leftward=bool(is_leftward)) == seen


def test_an_arabic_letter_makes_the_digits_behind_it_arabic_numbers() -> None:
    assert levels("ب 1-2", is_leftward=False) == [1, 1, 2, 1, 2]
    assert levels("א 1-2", is_leftward=False) == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("seed", range(tried(20, quick=5)))
def test_every_letter_is_seen_once_and_a_text_of_one_direction_has_one_level(seed: int) -> None:
    chance = random.Random(seed)
    pool = "ab1 .,(-)[]%אבجد٣\u0301\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
    text = "".join(chance.choice(pool) for _ in range(30))
    for is_leftward in (False, True):
        runs = visual_runs(levels(text, is_leftward=is_leftward))
        places = sorted(place for first, end, _ in runs for place in range(first, end))
        assert places == [*range(len(text))]
    plain = "".join(letter for letter in text if letter in "ab .,()[]")
    assert {*levels(plain, is_leftward=False)} <= {0}
    hebrew = "".join(letter for letter in text if letter in "אב .,()[]")
    assert {*levels(hebrew, is_leftward=True)} <= {1}


def test_the_first_strong_letter_outside_isolates_gives_the_direction() -> None:
    assert starts_leftward("12, אב ab")
    assert not starts_leftward("12, ab אב")
    assert not starts_leftward("\u2067אב\u2069 ab")
    assert not starts_leftward("...")
