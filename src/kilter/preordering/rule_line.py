"""Where rules and their fields stand in a file, so that every mistake names its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_HEADER = re.compile(r"\s*\[\[\s*rule\s*\]\]")
_FIELD = re.compile(r"\s*(?:\[\s*rule\s*\.\s*)?(head|order|when)\b")


@dataclass(frozen=True, slots=True)
class RuleLines:
    """The lines of a rule, the first of them with its number, counted from 1."""

    first: int
    lines: tuple[str, ...]

    def of(self, field: str, name: str = "") -> int:
        """Return the line of a field, or of a name that it holds, else the first of the rule.

        >>> rule = RuleLines(3, ("[[rule]]", 'head = "VERB"', "order = [", '  "obj", "HEAD",', "]"))
        >>> rule.of("order"), rule.of("order", "obj"), rule.of("when")
        (5, 6, 3)
        """
        begin = end = None
        own = (
            re.compile(rf"\s*(?:\[\s*rule\s*\.\s*)?({re.escape(field)})(?![\w-])")
            if field
            else _FIELD
        )
        for place, line in enumerate(self.lines):
            found = (own if begin is None else _FIELD).match(line)
            if found and begin is None and found[1] == field:
                begin = place
            elif found and begin is not None and end is None:
                end = place
        if begin is None:
            return self.first
        quoted = json.dumps(name, ensure_ascii=False)
        for place, line in enumerate(self.lines[begin:end]):
            if name and (quoted in line or f"'{name}'" in line):
                return self.first + begin + place
        return self.first + begin


def rule_lines(text: str, count: int) -> list[RuleLines | None]:
    """Return the lines of each of `count` rules; None for all where they are not written as [[rule]] tables."""
    lines = text.splitlines()
    starts = [place for place, line in enumerate(lines) if _HEADER.match(line)]
    if not starts or len(starts) != count:
        return [None] * count
    ends = [*starts[1:], len(lines)]
    return [
        RuleLines(start + 1, tuple(lines[start:end]))
        for start, end in zip(starts, ends, strict=True)
    ]
