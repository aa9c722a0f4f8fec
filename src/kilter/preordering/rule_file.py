"""Rule sets in TOML files: every mistake with file, rule and field, and what is allowed."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError, OptionError
from kilter.formats.stream import ByteSource
from kilter.formats.text import problems
from kilter.options.argument import checked
from kilter.preordering.label_set import LABEL_SETS, TAG_SETS, NameSet
from kilter.preordering.rule_set import ANY, HEAD, OTHER, Group, Method, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FIELDS = ("name", "description", "method", "labels", "tags", "keep_final_punctuation", "rule")
_RULE_FIELDS = ("head", "order")
_GROUP_FIELDS = ("labels", "reverse")
_HINT = 'it needs [[rule]] tables, or a method such as method = "reverse"'


def shipped_names() -> list[str]:
    """Return the names of the rule sets that come with Kilter."""
    folder = files("kilter.preordering") / "sets"
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def shipped_text(name: str) -> str:
    """Return the TOML of a rule set that comes with Kilter."""
    if name not in shipped_names():
        close = get_close_matches(name, shipped_names(), n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise OptionError(
            f"there is no rule set {name!r}; {hint}there are {', '.join(shipped_names())}; a file of "
            "your own must end in .toml"
        )
    return (files("kilter.preordering") / "sets" / f"{name}.toml").read_text(encoding="utf-8")


@checked
def load_rule_set(name: str) -> RuleSet:
    """Return a rule set by the name of a shipped one, or by the path of a `.toml` file.

    >>> load_rule_set("r3").method
    <Method.HEAD_FINAL_LEFT_REVERSED: 'head-final-left-reversed'>
    """
    if not name.endswith(".toml"):
        return parse_rule_set(shipped_text(name), where=name, name=name)
    data = b"".join(ByteSource(name).chunks())
    if not data.strip():
        raise InputError(f"the file is empty; {_HINT}", where=name)
    for problem in problems(data):
        raise InputError(problem.reason, where=f"{name}:{problem.line}")
    return parse_rule_set(data.decode(), where=name, name=Path(name).stem)


def as_rule_set(rules: RuleSet | str) -> RuleSet:
    """Return a rule set that is given, or named as `load_rule_set` takes it."""
    return load_rule_set(rules) if isinstance(rules, str) else rules


def parse_rule_set(text: str, *, where: str, name: str) -> RuleSet:
    """Return the rule set of a TOML text; `name` is what it is called unless it says so itself."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is no TOML: {error}", where=where) from None
    return _Reader(where).rule_set(found, name)


class _Reader:
    def __init__(self, where: str) -> None:
        self.where = where
        self.labels = LABEL_SETS["ud"]
        self.tags = TAG_SETS["ud"]

    def rule_set(self, found: Mapping[str, Any], name: str) -> RuleSet:
        self._check_fields(found, _FIELDS, self.where)
        if not found.keys() & {"rule", "method"}:
            raise InputError(f"says nothing about order; {_HINT}", where=self.where)
        method = self._choice(found, "method", list(Method), Method.PRECEDENCE)
        self.labels = self._names(found, "labels", LABEL_SETS)
        self.tags = self._names(found, "tags", TAG_SETS)
        rules = self._rules(found, Method(method))
        return RuleSet(
            name=self._typed(found, "name", str, name) or name,
            description=self._typed(found, "description", str, ""),
            method=Method(method),
            rules=rules,
            keep_final_punctuation=self._typed(
                found, "keep_final_punctuation", bool, default=False
            ),
        )

    def _rules(self, found: Mapping[str, Any], method: Method) -> tuple[Rule, ...]:
        listed = found.get("rule", [])
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise InputError("field rule: write rules as [[rule]] tables", where=self.where)
        if method is not Method.PRECEDENCE and listed:
            raise InputError(
                f"field rule: the method {method} takes no rules; remove them, or the method",
                where=self.where,
            )
        if method is Method.PRECEDENCE and not listed:
            raise InputError(f"field rule: there is no rule; {_HINT}", where=self.where)
        seen: dict[str, int] = {}
        rules = []
        for number, entry in enumerate(listed, start=1):
            rules.append(self._rule(entry, number))
            for head in rules[-1].heads:
                if head in seen:
                    raise InputError(
                        f"field head: {head} already has rule {seen[head]}; a category has one rule",
                        where=self._place(entry, number),
                    )
                seen[head] = number
        return tuple(rules)

    def _rule(self, entry: Mapping[str, Any], number: int) -> Rule:
        place = self._place(entry, number)
        self._check_fields(entry, _RULE_FIELDS, place)
        heads = self._strings(
            entry.get("head"), "head", place, "a tag such as VERB, or a list of tags"
        )
        for head in heads:
            reason = None if head == ANY else self.tags.why_not(head)
            if reason is not None:
                raise InputError(f"field head: there is no tag {head!r}; {reason}", where=place)
        order = entry.get("order")
        if not isinstance(order, list) or not order:
            raise InputError(
                "field order: must be a list of labels and groups, with OTHER and HEAD", where=place
            )
        groups = tuple(self._group(each, place) for each in order)
        self._check_groups(groups, place)
        return Rule(heads=heads, groups=groups)

    def _group(self, entry: Any, place: str) -> Group:
        reverse = False
        if isinstance(entry, dict):
            self._check_fields(entry, _GROUP_FIELDS, f"{place}, field order")
            reverse = entry.get("reverse", False)
            if not isinstance(reverse, bool):
                raise InputError(
                    f"field order: reverse is {reverse!r}; it can be true or false", where=place
                )
            entry = entry.get("labels")
        labels = self._strings(
            entry,
            "order",
            place,
            "a label, a list of labels, or { labels = [...], reverse = true }",
        )
        for label in labels:
            self._check_label(label, labels, place)
        return Group(labels=labels, reverse=reverse)

    def _check_label(self, label: str, labels: tuple[str, ...], place: str) -> None:
        if label in (OTHER, HEAD):
            if len(labels) > 1:
                raise InputError(
                    f"field order: {label} stands in a group with {_other(labels, label)}; it must be a "
                    "group of its own",
                    where=place,
                )
            return
        if label.upper() in (OTHER, HEAD) and self.labels.why_not(label) is not None:
            raise InputError(
                f"field order: there is no label {label!r}; did you mean {label.upper()}?",
                where=place,
            )
        if self.labels.known and label.endswith(tuple(self.labels.separators)):
            raise InputError(
                f"field order: {label!r} names no subtype; write {label[:-1]} for the label alone, "
                f"{label}{ANY} for all its subtypes",
                where=place,
            )
        stem = label.removesuffix(ANY)
        if ANY in stem or (stem != label and stem[-1:] not in tuple(self.labels.separators)):
            separator = self.labels.separators[0]
            raise InputError(
                f"field order: {label!r} is no pattern; a wildcard stands for a subtype, such as "
                f"nsubj{separator}{ANY}",
                where=place,
            )
        reason = self.labels.why_not(label)
        if reason is not None:
            raise InputError(f"field order: there is no label {label!r}; {reason}", where=place)

    def _check_groups(self, groups: tuple[Group, ...], place: str) -> None:
        listed = [label for group in groups for label in group.labels]
        for special in (HEAD, OTHER):
            count = listed.count(special)
            if count != 1:
                raise InputError(
                    f"field order: {special} occurs {count} times; every rule names HEAD and OTHER "
                    "exactly once",
                    where=place,
                )
        for label in listed:
            if listed.count(label) > 1:
                raise InputError(
                    f"field order: {label} occurs twice; a label belongs to one group", where=place
                )

    def _place(self, entry: Mapping[str, Any], number: int) -> str:
        heads = entry.get("head")
        listed = [heads] if isinstance(heads, str) else heads
        known = isinstance(listed, list) and all(isinstance(head, str) for head in listed)
        named = f" ({' '.join(listed)})" if known and listed else ""
        return f"{self.where}: rule {number}{named}"

    def _check_fields(self, found: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        for key in found:
            if key not in known:
                raise InputError(
                    f"there is no field {key!r}; there are {', '.join(known)}", where=where
                )

    def _strings(self, value: Any, name: str, where: str, what: str) -> tuple[str, ...]:
        listed = [value] if isinstance(value, str) else value
        if (
            not isinstance(listed, list)
            or not listed
            or not all(isinstance(entry, str) and entry.strip() for entry in listed)
        ):
            raise InputError(f"field {name}: {_shown(value)}; it must be {what}", where=where)
        return tuple(listed)

    def _typed(self, found: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
        value = found.get(name, default)
        if not isinstance(value, kind):
            what = "true or false" if kind is bool else "a text"
            raise InputError(f"field {name}: {_shown(value)}; it must be {what}", where=self.where)
        return value

    def _choice(
        self, found: Mapping[str, Any], name: str, allowed: Iterable[str], default: str
    ) -> str:
        value = found.get(name, default)
        if value not in list(allowed):
            raise InputError(
                f"field {name}: {_shown(value)}; it can be {', '.join(allowed)}", where=self.where
            )
        return str(value)

    def _names(self, found: Mapping[str, Any], name: str, sets: Mapping[str, NameSet]) -> NameSet:
        value = found.get(name, "ud")
        if isinstance(value, list):
            own = self._strings(value, name, self.where, "a list of names")
            return NameSet(f"{name} of this file", frozenset(own), "")._replace(
                separators=sets["any"].separators
            )
        return sets[self._choice(found, name, sets, "ud")]


def _shown(value: Any) -> str:
    return "it is missing" if value is None else f"it is {value!r}"


def _other(labels: tuple[str, ...], label: str) -> str:
    return next((each for each in labels if each != label), label)
