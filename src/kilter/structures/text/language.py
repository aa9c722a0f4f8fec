"""Languages of texts by their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.errors import OptionError

if TYPE_CHECKING:
    from kilter.options.configured import Configured


def base_language(code: str | None) -> str | None:
    """Return the language of a code, without country or script.

    >>> base_language("en_GB"), base_language("EN"), base_language("zh-Hant-TW"), base_language(None)
    ('en', 'en', 'zh', None)
    """
    return None if code is None else code.replace("_", "-").partition("-")[0].lower()


def check_knows(tool: Configured, only: str | None, language: str | None) -> None:
    """Raise an `OptionError` if a tool knows only another language than that of the texts."""
    if only is not None and language is not None and language != only:
        raise OptionError(
            f"{tool.name} knows only the language {only}, not {language}; choose another"
        )
