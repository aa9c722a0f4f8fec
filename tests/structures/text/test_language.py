"""Languages by their codes."""

import pytest

from kilter.aligners.embedding import Embedding
from kilter.errors import OptionError
from kilter.structures.text.language import base_language, check_knows


@pytest.mark.parametrize(
    ("code", "language"), [("en", "en"), ("en_GB", "en"), ("ZH-Hant", "zh"), (None, None)]
)
def test_country_and_script_are_left_off(code: str | None, language: str | None) -> None:
    assert base_language(code) == language


def test_a_tool_of_one_language_refuses_another_and_takes_what_nobody_named() -> None:
    tool = Embedding()
    check_knows(tool, "en", "en")
    check_knows(tool, "en", None)
    check_knows(tool, None, "de")
    with pytest.raises(OptionError, match="embedding knows only the language en, not de; choose"):
        check_knows(tool, "en", "de")
