"""Fonts of this machine that tests of other scripts need; `make system-tools` installs them."""

from functools import cache

import pytest

from kilter.study.paper.type.typeface import Typeface
from kilter.study.paper.type.typeface_choice import installed_typefaces

PACKAGES = {"DejaVu Sans": "fonts-dejavu-core", "Noto Sans CJK JP": "fonts-noto-cjk"}
FONT_OF = dict.fromkeys(("cs", "el", "ru", "ar"), "DejaVu Sans") | {"ja": "Noto Sans CJK JP"}
"""A font that has the letters of a language."""


@cache
def _found(family: str) -> Typeface | None:
    faces = (face for face in installed_typefaces() if face.family == family)
    plain = [face for face in faces if "condensed" not in face.path.name.casefold()]
    return plain[0] if plain else None


def font(family: str) -> Typeface:
    """Return an installed font, or skip the test."""
    found = _found(family)
    if found is None:
        pytest.skip(f"needs the font {family}: apt-get install {PACKAGES[family]}")
    return found
