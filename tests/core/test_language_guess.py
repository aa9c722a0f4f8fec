"""Texts that are clearly not English, and those that may be."""

import pytest

from kilter.core.language import NAMES, not_english
from tests.docs.pages import ROOT

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
