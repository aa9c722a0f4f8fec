"""JSON of files that anybody may have written."""

from __future__ import annotations

import json
from typing import Any


class RepeatedKeyError(json.JSONDecodeError):
    """A key that stands twice in one object; which value is meant, nobody can tell."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} stands twice in one object; keep one", "", 0)

    def __str__(self) -> str:
        return self.msg


def parse_json(text: str | bytes) -> Any:
    """Return what a JSON text says; whatever is wrong with it is a `json.JSONDecodeError`.

    A key that stands twice in one object is wrong, too. That is also what becomes of brackets inside one another beyond what Python follows, and of numbers with
    more digits than it converts, which it tells in other ways. Bytes that are no UTF-8 stay a
    `UnicodeDecodeError`; both are a `ValueError`.

    >>> parse_json('{"a": [1]}')
    {'a': [1]}
    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    json.decoder.JSONDecodeError: more brackets inside one another than can be read: line 1 column 1 (char 0)
    """
    try:
        # Bytes may be UTF-16, and a text may begin with a byte-order mark, which it tells by name.
        if isinstance(text, bytes) or text.startswith("\ufeff"):
            return json.loads(text, object_pairs_hook=_object)
        return _DECODER.decode(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except RecursionError:
        fault = "more brackets inside one another than can be read"
    except ValueError:
        fault = "a number with more digits than can be read"
    raise json.JSONDecodeError(fault, "", 0)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        names = [name for name, _ in pairs]
        raise RepeatedKeyError(next(name for name in names if names.count(name) > 1))
    return entry


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
"""Made once: a new one takes a third of the time of a short line."""
