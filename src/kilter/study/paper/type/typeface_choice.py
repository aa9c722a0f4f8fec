"""Fonts for the letters of a document: those named, the built-in one, and what is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import name as unicode_name

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.io.stream import is_file, is_folder
from kilter.study.paper.type.typeface import (
    Typeface,
    built_in,
    faces_in,
    needs_no_shape,
    read_typeface,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
)
# Plain faces first; DejaVu is the built-in font with more letters.
_LIKED = ("dejavu sans", "noto sans", "liberation sans", "noto naskh", "amiri", "freesans")
_DISLIKED = ("mono", "condensed", "light", "thin", "black", "math", "serif", "display", "ui")
_UPRIGHT = frozenset({"", "regular", "book", "roman", "normal", "medium"})
# Chinese characters are drawn differently in each of these languages; fonts say for which they are.
_CJK = {"ja": ("jp", "japan", "gothic"), "ko": ("kr", "korea"), "zh": ("sc", "hei")}
_TOLD = 5
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class TypefacePair:
    """A font with its bold sister; without one, the same shapes are drawn with thicker lines."""

    regular: Typeface
    bold: Typeface | None

    def of(self, *, bold: bool) -> Typeface:
        """Return the font for a weight."""
        return (self.bold or self.regular) if bold else self.regular


def choose_typefaces(
    texts: Mapping[str, Collection[str]],
    *,
    named: Sequence[Path] = (),
    installed: Iterable[Typeface] | None = None,
) -> list[TypefacePair]:
    """Return fonts that have all letters of texts by language, the one to be preferred first.

    Fonts that are named come first, then the built-in one if it has all other letters; else those of this
    machine, beginning with the one that has the most. Letters that no font has are an `InputError` that names
    them and where they stand.
    """
    letters = {letter for parts in texts.values() for part in parts for letter in part}
    needed = {ord(letter) for letter in letters if not needs_no_shape(letter)}
    chosen = [TypefacePair(read_typeface(path), None) for path in named]
    for pair in chosen:
        needed -= pair.regular.letters
    if not needed and chosen:
        return chosen
    default = TypefacePair(built_in(), built_in(bold=True))
    if needed <= default.regular.letters:
        return [*chosen, default]
    faces = [*(installed_typefaces() if installed is None else installed)]
    while needed:
        best = max(faces, key=lambda face: _worth(face, needed, texts), default=None)
        if best is None or not best.letters & needed:
            break
        taken = needed & best.letters
        chosen.append(TypefacePair(best, _bold_of(best, taken)))
        needed -= taken
    needed -= default.regular.letters
    if needed:
        raise _missing(needed, texts, len(faces))
    # Rare signs of the built-in font that the others lack, perhaps.
    return [*chosen, default]


def _worth(
    face: Typeface, needed: Collection[int], texts: Mapping[str, Collection[str]]
) -> tuple[int, int, int, int, str, int]:
    """Return what a font is worth: letters that it adds, then its looks, then its name, for a fixed order."""
    family = face.family.casefold()
    words = {*family.replace("-", " ").split()}
    spoken = [word for language in texts for word in _CJK.get(language, ())]
    home = sum(word in words for word in spoken)
    liked = [place for place, name in enumerate(_LIKED) if family.startswith(name)]
    rank = len(_LIKED) - min(liked, default=len(_LIKED))
    plain = -sum(word in family for word in _DISLIKED)
    return len(face.letters & {*needed}), home, plain, rank, face.family, -face.index


def _bold_of(face: Typeface, letters: Collection[int]) -> Typeface | None:
    """Return the bold font of the same family in the same folder, if it has these letters."""
    beside = sorted(path for path in face.path.parent.glob("*") if path.suffix.lower() in _SUFFIXES)
    for other in (other for path in beside for other in faces_in(path)):
        if other.family == face.family and other.style.casefold() == "bold":
            return other if other.letters >= {*letters} and other.may_be_embedded else None
    return None


def _missing(
    needed: Collection[int], texts: Mapping[str, Collection[str]], installed: int
) -> InputError:
    letters = sorted(needed)
    named = ", ".join(_said(code) for code in letters[:_TOLD])
    more = f" and {len(letters) - _TOLD} more" if len(letters) > _TOLD else ""
    lines = []
    for parts in texts.values():
        lines += [part for part in parts if any(ord(letter) in needed for letter in part)]
    places = "; ".join(repr(line) for line in lines[:_TOLD])
    also = f" and {len(lines) - _TOLD} more texts" if len(lines) > _TOLD else ""
    return InputError(
        f"no font has {named}{more}, as in {places}{also}; "
        f"{counted(installed, 'installed font')} that may be embedded were looked at: install one of that script, "
        "such as Debian's fonts-noto-core or fonts-noto-cjk, or name a file with --font"
    )


def _said(code: int) -> str:
    return f"{chr(code)!r} (U+{code:04X} {unicode_name(chr(code), 'without a name')})"


@cache
def installed_typefaces() -> tuple[Typeface, ...]:
    """Return the upright fonts of ordinary weight on this machine that may be embedded."""
    faces = [face for path in _font_files() for face in faces_in(path)]
    return tuple(
        face
        for face in faces
        if face.is_outlined
        and face.style.casefold() in _UPRIGHT
        and face.may_be_embedded
        and face.letters
    )


def _font_files() -> list[Path]:
    """Return font files, as fontconfig knows them, or as they lie in the usual folders."""
    command = shutil.which("fc-list")
    if command is not None:
        listed = subprocess.run(  # noqa: S603 - no part of it comes from a user
            [command, "--format", "%{file}\n"], capture_output=True, check=False, timeout=_SECONDS
        )
        paths = {Path(os.fsdecode(line)) for line in listed.stdout.split(b"\n") if line}
        if paths:
            return sorted(path for path in paths if path.suffix.lower() in _SUFFIXES)
    folders = [Path(folder).expanduser() for folder in _FOLDERS]
    if os.name == "nt":
        folders.append(Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts")
    return sorted(
        path
        for folder in folders
        if is_folder(folder)
        for path in folder.rglob("*")
        if path.suffix.lower() in _SUFFIXES and is_file(path)
    )
