"""Lower case by the rules of Turkish and Azerbaijani, and of all other languages."""

import pytest

from kilter.core.language import has_dotless_i, lowered, plain_dots


@pytest.mark.parametrize(
    ("word", "turkic", "expected"),
    [
        ("IŞIK", True, "ışık"),
        ("Işık", True, "ışık"),
        ("İSTANBUL", True, "istanbul"),
        ("I\N{COMBINING DOT ABOVE}zmir", True, "izmir"),
        ("ışık", True, "ışık"),
        ("IŞIK", False, "işik"),
        ("Straße", True, "straße"),
    ],
)
def test_i_with_and_without_dot_are_two_letters_in_turkish(
    *, word: str, turkic: bool, expected: str
) -> None:
    assert lowered(word, turkic=turkic) == expected


def test_every_other_character_is_lowered_as_python_does() -> None:
    for code in range(0x3000):
        sign = chr(code)
        assert lowered(sign, turkic=False) == sign.lower()
        if sign not in "Iİ":
            assert lowered(sign, turkic=True) == sign.lower()


def test_a_dotted_capital_folds_to_one_letter_in_any_language() -> None:
    assert plain_dots("İzmir", turkic=False) == "izmir"
    assert plain_dots("Izmir", turkic=False) == "Izmir"
    # Lithuanian writes the dot by itself, where another mark follows.
    assert plain_dots("i\N{COMBINING DOT ABOVE}", turkic=False) == "i\N{COMBINING DOT ABOVE}"


def test_languages_are_known_by_their_codes() -> None:
    assert has_dotless_i("tr")
    assert has_dotless_i("az_AZ")
    assert not has_dotless_i("en")
    assert not has_dotless_i(None)
