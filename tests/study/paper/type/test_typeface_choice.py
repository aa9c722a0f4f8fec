"""Fonts chosen by the letters that texts need."""

import re
import shutil
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.study.paper.type import typeface_choice
from kilter.study.paper.type.typeface import Typeface, built_in
from kilter.study.paper.type.typeface_choice import choose_typefaces, installed_typefaces
from tests.study.paper.font import font
from tests.study.paper.foreign import SENTENCES


def families(texts: dict[str, list[str]], **options: object) -> list[str]:
    """Return the names of the fonts that are chosen."""
    return [pair.regular.family for pair in choose_typefaces(texts, **options)]  # type: ignore[arg-type]


def test_the_built_in_font_is_taken_as_long_as_it_has_all_letters() -> None:
    assert families({"de": ["Übung"], "fr": ["garçon"]}, installed=[]) == ["Bitstream Vera Sans"]
    (pair,) = choose_typefaces({"en": ["Hello"]}, installed=[])
    assert (pair.regular, pair.bold) == (built_in(), built_in(bold=True))


@pytest.mark.parametrize("language", ["cs", "el", "ru", "ar"])
def test_an_installed_font_that_has_the_letters_comes_first(language: str) -> None:
    face = font("DejaVu Sans")
    texts = {"en": ["Hello"], language: [*SENTENCES[language]]}
    chosen = choose_typefaces(texts)
    assert chosen[0].regular.family == face.family
    assert chosen[0].bold is not None
    assert chosen[0].bold.has("".join(SENTENCES[language]))


def test_chinese_characters_are_those_of_the_language() -> None:
    font("Noto Sans CJK JP")
    for language, family in {"ja": "Noto Sans CJK JP", "zh": "Noto Sans CJK SC"}.items():
        assert families({language: ["文字を読む"]})[0] == family


def test_letters_of_several_scripts_take_several_fonts() -> None:
    font("DejaVu Sans"), font("Noto Sans CJK JP")
    texts = {"ar": [*SENTENCES["ar"]], "ja": [*SENTENCES["ja"]], "en": ["Hello"]}
    chosen = choose_typefaces(texts)
    for text in (word for parts in texts.values() for part in parts for word in part.split()):
        for letter in text:
            assert any(pair.regular.has(letter) for pair in chosen), letter


def test_named_fonts_come_first_and_are_enough_if_they_have_everything(tmp_path: Path) -> None:
    copy = tmp_path / "mine.ttf"
    copy.write_bytes(built_in().path.read_bytes())
    chosen = choose_typefaces({"en": ["Hello"]}, named=[copy], installed=[])
    assert [pair.regular for pair in chosen] == [Typeface(copy)]
    both = families({"en": ["Hello"], "cs": ["Dvořák"]}, named=[copy, font("DejaVu Sans").path], installed=[])  # fmt: skip
    assert both == ["Bitstream Vera Sans", "DejaVu Sans"]


def test_letters_that_no_font_has_are_named_with_the_texts_they_stand_in() -> None:
    texts = {"en": ["All is well here."], "cs": ["Dvořák čeká.", "Ano.", "Říčka teče."]}
    with pytest.raises(InputError) as raised:
        choose_typefaces(texts, installed=[built_in()])
    said = str(raised.value)
    for part in ("'ř' (U+0159 LATIN SMALL LETTER R WITH CARON)", "'Dvořák čeká.'", "'Říčka teče.'"):
        assert part in said
    assert "1 installed font that may be embedded" in said
    assert "--font" in said
    assert "fonts-noto-core" in said
    assert "All is well" not in said
    assert "'Ano.'" not in said
    many = {"xx": [chr(code) for code in range(0x1200, 0x1210)]}
    with pytest.raises(InputError, match=r"and 11 more, as in .* and 11 more texts"):
        choose_typefaces(many, installed=[])


def test_fonts_are_found_without_fontconfig_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "fonts" / "deep"
    folder.mkdir(parents=True)
    (folder / "one.TTF").write_bytes(built_in().path.read_bytes())
    (folder / "one.txt").write_bytes(built_in().path.read_bytes())
    (folder / "two.otf").write_bytes(b"broken")
    monkeypatch.setattr(typeface_choice, "_FOLDERS", (str(tmp_path / "fonts"), "/nowhere"))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert [face.path.name for face in installed_typefaces.__wrapped__()] == ["one.TTF"]


def test_only_upright_fonts_that_may_be_embedded_are_looked_at() -> None:
    for face in installed_typefaces():
        assert not re.search("bold|italic|oblique", face.style, re.IGNORECASE)
        assert face.may_be_embedded
