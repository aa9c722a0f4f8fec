"""Languages by their codes."""

import pytest

from kilter.aligners.embedding import Embedding
from kilter.core.errors import OptionError
from kilter.core.language import base_language, check_code, writing_direction
from kilter.core.registry import check_knows


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
