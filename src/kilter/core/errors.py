"""Errors that tell a user what is wrong, where, and what would be right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

_NO_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that a message advises: an argument in Python, an option on the command line.

    >>> Setting("tokenize", "zh").argument, Setting("tokenize", "zh").option
    ("tokenize='zh'", '--tokenize zh')
    """

    name: str
    value: str | bool

    @property
    def argument(self) -> str:
        """The setting as Python spells it."""
        return f"{self.name}={self.value!r}"

    @property
    def option(self) -> str:
        """The setting as the command line spells it; a flag has no value."""
        flag = "--" + self.name.replace("_", "-")
        return f"{flag} {self.value}" if isinstance(self.value, str) else flag


@dataclass(frozen=True, slots=True)
class Remedy:
    """What helps where it is more than one setting, or not the same in Python and on the command line.

    >>> Remedy("segments=[1, 2]", "--segment 1 --segment 2").option
    '--segment 1 --segment 2'
    """

    argument: str
    option: str


def spelled(text: str) -> str:
    r"""Return a text with what no output can write spelled out: bytes of names that are no UTF-8.

    >>> print(spelled("\udcfcber \ud800"))
    \xfcber \ud800
    """
    return _NO_TEXT.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    code = ord(found[0])
    # As the operating system hands over a byte above 127 that is not text.
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"


class KilterError(Exception):
    """Base of every error that Kilter raises on purpose.

    `advice` is a setting or another remedy that would help. It ends the message, spelled as Python spells it;
    `for_command` spells it as the command line does.
    """

    exit_code = 1

    def __init__(self, message: str, *, advice: Setting | Remedy | None = None) -> None:
        message = spelled(message)  # an error that cannot be printed hides itself
        super().__init__(message if advice is None else f"{message} {advice.argument}")
        self._told = message if advice is None else f"{message} {advice.option}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes the same error in another process, however it was made in this one."""
        return _restored, (type(self), self.args, self.__dict__)

    def for_command(self) -> str:
        """Return the message for somebody at the command line."""
        return self._told


def _restored(
    kind: type[KilterError], arguments: tuple[object, ...], held: dict[str, object]
) -> KilterError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(held)
    return error


class SegmentPlace(str):
    """A segment, counted from 0, as messages name it, with what they say before and after it.

    >>> SegmentPlace(3, after=" of hypothesis")
    'segment 4 of hypothesis'
    """

    __slots__ = ("after", "before", "segment")

    segment: int
    before: str
    after: str

    def __new__(cls, segment: int, before: str = "", after: str = "") -> Self:
        """Return the place as messages write it."""
        made = super().__new__(cls, spelled(f"{before}segment {segment + 1}{after}"))
        made.segment, made.before, made.after = segment, before, after
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.segment, self.before, self.after

    def moved(self, segments: int) -> SegmentPlace:
        """Return the place so many segments further on."""
        return SegmentPlace(self.segment + segments, self.before, self.after)


class InputError(KilterError, ValueError):
    """The user's data is wrong: names the place, what is wrong, and what would be right."""

    exit_code = 3

    def __init__(
        self, message: str, *, where: str | None = None, advice: Setting | Remedy | None = None
    ) -> None:
        super().__init__(message if where is None else f"{where}: {message}", advice=advice)
        self.where = where if where is None or isinstance(where, SegmentPlace) else spelled(where)
        self._message, self._advice = message, advice

    def count_from(self, before: int) -> None:
        """Count the segment from the first of a text, where so many stand before those that were looked at."""
        if isinstance(self.where, SegmentPlace) and before:
            self.where = self.where.moved(before)
            KilterError.__init__(self, f"{self.where}: {self._message}", advice=self._advice)


class SeveralLinksError(InputError):
    """A word has several links where one is allowed; `fault` names it and its partners."""

    def __init__(self, fault: str, *, where: str) -> None:
        super().__init__(
            f"{fault}, and one-to-one links are needed; drop some, or make an order of them by "
            "another rule, such as mean",
            where=where,
        )
        self.fault = fault


class OptionError(KilterError, ValueError):
    """An option or a metric name that does not exist, or a value it cannot have."""

    exit_code = 2


class MissingToolError(KilterError, ImportError):
    """An optional package that is not installed; the message carries the install command."""

    exit_code = 4

    def __init__(self, purpose: str, *, install: str) -> None:
        super().__init__(f"{purpose} needs an optional package; install it with: {install}")


class KilterWarning(UserWarning):
    """Something was put right that the user should know of."""
