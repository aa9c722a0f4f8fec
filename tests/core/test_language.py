"""Languages by their codes."""

import pytest

from kilter.aligners.embedding import Embedding
from kilter.core.errors import OptionError
from kilter.core.language import (
    NAMES,
    base_language,
    check_code,
    has_dotless_i,
    lowered,
    not_english,
    plain_dots,
    writing_direction,
)
from kilter.core.registry import check_knows
from tests.docs.pages import ROOT


@pytest.mark.parametrize(
    ("code", "language"), [("en", "en"), ("en_GB", "en"), ("ZH-Hant", "zh"), (None, None)]
)
def test_country_and_script_are_left_off(code: str | None, language: str | None) -> None:
    assert base_language(code) == language


@pytest.mark.parametrize("code", ["ar", "ckb", "syr", "he_IL", "pa-Arab", "az-Arab-IR"])
def test_languages_and_scripts_that_run_from_right_to_left(code: str) -> None:
    assert writing_direction(code) == "rtl"


@pytest.mark.parametrize("code", ["en", "pa", "ug-Latn", "zh-Hant-TW", ""])
def test_all_others_run_from_left_to_right(code: str) -> None:
    assert writing_direction(code) == "ltr"


def test_a_tool_of_one_language_refuses_another_and_takes_what_nobody_named() -> None:
    tool = Embedding()
    check_knows(tool, "en", "en")
    check_knows(tool, "en", None)
    check_knows(tool, None, "de")
    with pytest.raises(OptionError, match="embedding knows only the language en, not de; choose"):
        check_knows(tool, "en", "de")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("jp", "ja"),
        ("cz", "cs"),
        ("gr", "el"),
        ("dk", "da"),
        ("cn", "zh"),
        ("ua", "uk"),
        ("jp_JP", "ja"),
        ("German", "de"),
        ("eng", "en"),
    ],
)
def test_the_code_of_a_country_or_a_name_is_answered_with_the_code_of_its_language(
    written: str, meant: str
) -> None:
    with pytest.raises(OptionError, match=f"no language '{written}'; did you mean {meant}[?]"):
        check_code(written)


@pytest.mark.parametrize("code", ["en", "en_US", "zh-Hant", "se", "kr", "ee", "uk", "tlh", None])
def test_the_code_of_a_language_is_no_mistake(code: str | None) -> None:
    check_code(code)


# Texts that are clearly not English, and those that may be.


SENTENCES = {
    "de": "Die alten Häuser sind nicht von dem Feuer zerstört worden, das im Sommer war.",
    "fr": "Les enfants ne sont pas dans la maison avec leur mère, mais au jardin.",
    "es": "Los niños no están en la casa con su madre, pero sí en el jardín.",
    "cs": "Staré domy se ale podle něj v létě nestaly obětí ohně, který byl v lese.",
    "it": "I bambini non sono nella casa con il loro padre, ma anche questo è molto bello.",
    "nl": "De kinderen zijn niet in het huis van hun moeder, maar ook niet bij een vriend.",
    "pt": "Os meninos não foram para a casa com a sua mãe, mas depois para uma escola.",
    "pl": "Dzieci nie są już w domu, ale jest to tylko ich matka, która się śmieje.",
    "sv": "Barnen är inte i huset och de har också en hund som kommer från landet.",
    "da": "Børnene er ikke i huset, og de har også en hund, der blev fundet på vejen.",
    "fi": "Lapset eivät ole talossa, mutta he ovat jo puutarhassa ja se on myös hyvä.",
    "hu": "A gyerekek nem voltak otthon, csak az anyjuk, és ez már nagyon szép volt.",
    "ro": "Copiii nu sunt în casa care este mai veche, dar pentru ei este și o școală.",
    "tr": "Bu ev çok eski ama her gün daha güzel gibi ve çocuklar için yeni bir okul var.",
}
SCRIPTS = {
    "子供たちは庭で犬を見ました。": "Japanese",
    "孩子们在花园里看见了狗。": "Chinese",
    "아이들은 정원에서 개를 보았다.": "Korean",
    "Дети увидели собаку в саду.": "a language in Cyrillic",
    "Βλέπω ένα σκύλο.": "Greek",
    "הילדים ראו את הכלב בגן.": "Hebrew",
    "رأى الأطفال الكلب في الحديقة.": "a language in Arabic letters",
    "बच्चों ने बगीचे में कुत्ते को देखा।": "a language in Devanagari",
    "เด็กเห็นสุนัขในสวน": "Thai",
}


@pytest.mark.parametrize(("code", "sentence"), SENTENCES.items())
def test_a_language_is_known_by_its_frequent_words(code: str, sentence: str) -> None:
    assert not_english([sentence, ""]) == (NAMES[code], code)


def test_every_language_that_is_named_has_a_sentence() -> None:
    assert SENTENCES.keys() == NAMES.keys()


@pytest.mark.parametrize(("sentence", "seems"), SCRIPTS.items())
def test_a_script_says_what_a_text_is_not(sentence: str, seems: str) -> None:
    guess = not_english([sentence])
    assert guess is not None
    assert guess.seems == seems


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234 -- ...",
        "Berlin Hauptbahnhof Gleis",
        "Die Hard was not the first film of its kind.",
        'He said "au revoir" to the maître d\' and the two went on.',
    ],
)
def test_doubt_is_not_told(text: str) -> None:
    assert not_english([text]) is None


def test_no_english_sample_is_taken_for_anything_else() -> None:
    for path in (ROOT / "examples").glob("*.en"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not_english(lines) is None, path
        assert [line for line in lines if not_english([line])] == [], path
    assert not_english((ROOT / "examples" / "source.de").read_text(encoding="utf-8").splitlines())


# Lower case by the rules of Turkish and Azerbaijani, and of all other languages.


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
