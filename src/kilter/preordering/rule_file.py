"""Rule sets in TOML files: every mistake with file, rule and field, and what is allowed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked
from kilter.io.toml_table import TomlTable, parse_toml, read_toml_text
from kilter.preordering.condition_file import (
    LABEL_SETS,
    TAG_SETS,
    ConditionReader,
    NameSet,
    condition_text,
)
from kilter.preordering.rule_set import ANY, HEAD, OTHER, Group, Method, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kilter.preordering.condition import Condition

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


_FIELDS = ("name", "description", "method", "labels", "tags", "keep_final_punctuation", "rule")
_RULE_FIELDS = ("head", "when", "order")
_GROUP_FIELDS = ("labels", "when", "reverse")
_GROUP = "a label, a list of labels, or { labels = [...], reverse = true }"
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
    table, text = read_toml_text(name, needs=_HINT)
    return _rule_set(table, text, Path(name).stem)


def as_rule_set(rules: RuleSet | str) -> RuleSet:
    """Return a rule set that is given, or named as `load_rule_set` takes it."""
    return load_rule_set(rules) if isinstance(rules, str) else rules


def parse_rule_set(text: str, *, where: str, name: str) -> RuleSet:
    """Return the rule set of a TOML text; `name` is what it is called unless it says so itself."""
    return _rule_set(parse_toml(text, where=where), text, name)


def rule_set_digest(rules: RuleSet) -> str:
    """Return eight digits that are the same for sets that do the same in the same words, whatever their names."""
    plain = rule_set_text(replace(rules, name="", description=""))
    return sha256(plain.encode()).hexdigest()[:8]


def rule_set_text(rules: RuleSet, comments: Iterable[str] = ()) -> str:
    """Return the TOML of a rule set, which read again is the same; comments stand at the top."""
    lines = [f"# {comment}".rstrip() for comment in comments]
    lines.append(f"name = {_quoted(rules.name)}")
    if rules.description:
        lines.append(f"description = {_quoted(rules.description)}")
    if rules.method is not Method.PRECEDENCE or not rules.rules:
        method = Method.NONE if rules.method is Method.PRECEDENCE else rules.method
        lines.append(f"method = {_quoted(method)}")
    names = [label for rule in rules.rules for group in rule.groups for label in group.labels]
    held = rules.conditions()
    labels = [name for name in names if name not in (OTHER, HEAD, ANY)]
    labels += [label for each in held for label in each.label]
    heads = [head for rule in rules.rules for head in rule.heads if head != ANY]
    heads += [tag for each in held for tag in each.tag]
    lines.append(f"labels = {_quoted(_fitting(labels, LABEL_SETS))}")
    lines.append(f"tags = {_quoted(_fitting(heads, TAG_SETS))}")
    lines.append(f"keep_final_punctuation = {str(rules.keep_final_punctuation).lower()}")
    for rule in rules.rules:
        listed = ", ".join(map(_quoted, rule.heads))
        lines += ["", "[[rule]]", f"head = [{listed}]"]
        if rule.when is not None:
            lines.append(f"when = {condition_text(rule.when)}")
        lines.append("order = [")
        lines += [f"    {_group_text(group)}," for group in rule.groups]
        lines.append("]")
    return "\n".join(lines) + "\n"


def _fitting(names: list[str], sets: Mapping[str, NameSet]) -> str:
    """Return the first set that allows all names."""
    return next(each for each in sets if all(sets[each].why_not(name) is None for name in names))


def _group_text(group: Group) -> str:
    listed = ", ".join(map(_quoted, group.labels))
    if group.reverse or group.when is not None:
        held = "" if group.when is None else f", when = {condition_text(group.when)}"
        return f"{{ labels = [{listed}]{held}{', reverse = true' if group.reverse else ''} }}"
    return listed if len(group.labels) == 1 else f"[{listed}]"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _rule_set(table: TomlTable, text: str, name: str) -> RuleSet:
    table.allow(_FIELDS)
    if "rule" not in table and "method" not in table:
        raise table.error(f"says nothing about order; {_HINT}")
    method = Method(table.one_of("method", Method, str(Method.PRECEDENCE)))
    labels = _names(table, "labels", LABEL_SETS)
    tags = _names(table, "tags", TAG_SETS)
    return RuleSet(
        name=table.take("name", str, name) or name,
        description=table.take("description", str, ""),
        method=method,
        rules=_RuleReader(labels, tags).rules(table, text, method),
        keep_final_punctuation=table.flag("keep_final_punctuation", default=False),
    )


def _names(table: TomlTable, key: str, sets: Mapping[str, NameSet]) -> NameSet:
    if not isinstance(table.take(key, (str, list), "ud"), list):
        return sets[table.one_of(key, sets, "ud")]
    own = table.words(key, wanted="a list of names")
    return NameSet(f"{key} of this file", frozenset(own), "")._replace(
        separators=sets["any"].separators
    )


def _called(number: int, entry: Mapping[str, Any]) -> str:
    heads = entry.get("head")
    listed = [heads] if isinstance(heads, str) else heads
    known = isinstance(listed, list) and all(isinstance(head, str) for head in listed)
    named = f" ({' '.join(listed)})" if known and listed else ""
    return f"rule {number}{named}"


@dataclass(frozen=True, slots=True)
class _Place:
    """A rule of a file, as messages name it."""

    file: str
    called: str
    lines: RuleLines | None

    def where(self, field: str, name: str = "") -> str:
        """Return the place of a field, or of a name in it."""
        line = "" if self.lines is None else f":{self.lines.of(field, name)}"
        return f"{self.file}{line}: {self.called}"

    def error(self, field: str, message: str, name: str = "") -> InputError:
        """Return an error of a field."""
        return InputError(f"field {field}: {message}", where=self.where(field, name))


@dataclass(frozen=True, slots=True)
class _RuleReader:
    """Reads the rules of a file whose labels and tags are known."""

    labels: NameSet
    tags: NameSet

    def rules(self, table: TomlTable, text: str, method: Method) -> tuple[Rule, ...]:
        listed = table.tables("rule", _called)
        if method is not Method.PRECEDENCE and listed:
            raise table.error(
                f"field rule: the method {method} takes no rules; remove them, or the method"
            )
        if method is Method.PRECEDENCE and not listed:
            raise table.error(f"field rule: there is no rule; {_HINT}")
        seen: dict[str, list[tuple[int, Condition | None]]] = {}
        rules = []
        lines = rule_lines(text, len(listed))
        for number, (entry, where) in enumerate(zip(listed, lines, strict=True), start=1):
            place = _Place(table.where, _called(number, entry.entries), where)
            rules.append(self._rule(entry.entries, place))
            for head in rules[-1].heads:
                _check_reached(head, rules[-1].when, seen.setdefault(head, []), place)
                seen[head].append((number, rules[-1].when))
        return tuple(rules)

    def _rule(self, entries: Mapping[str, object], place: _Place) -> Rule:
        entry = TomlTable(entries, where=place.where("head"))
        unknown = next((key for key in entries if key not in _RULE_FIELDS), "")
        TomlTable(entries, where=place.where(unknown)).allow(_RULE_FIELDS)
        heads = entry.words("head", wanted="a tag such as VERB, or a list of tags")
        for head in heads:
            reason = None if head == ANY else self.tags.why_not(head)
            if reason is not None:
                raise place.error("head", f"there is no tag {head!r}; {reason}", head)
        order = TomlTable(entries, where=place.where("order")).take("order", list, [])
        if not order:
            raise place.error("order", "must be a list of labels and groups, with OTHER and HEAD")
        when = self._when(entries, place.where("when"))
        groups = tuple(self._group(each, place) for each in order)
        _check_groups(groups, place)
        return Rule(heads=heads, groups=groups, when=when)

    def _when(self, entries: Mapping[str, object], where: str) -> Condition | None:
        if "when" not in entries:
            return None
        wanted = 'a condition such as { lemma = "be" }'
        table = TomlTable(entries, where=where).table("when", wanted=wanted)
        return ConditionReader(self.labels, self.tags).condition(table)

    def _group(self, entry: object, place: _Place) -> Group:
        reverse, when = False, None
        if isinstance(entry, dict):
            named = entry.get("labels")
            first = named[0] if isinstance(named, list) and named else named
            where = place.where("order", first if isinstance(first, str) else "")
            table = TomlTable(entry, where=f"{where}: field order")
            table.allow(_GROUP_FIELDS)
            reverse = table.flag("reverse", default=False)
            labels = table.words("labels", wanted="a label or a list of labels")
            when = self._when(entry, table.where)
        else:
            labels = TomlTable({"order": entry}, where=place.where("order")).words(
                "order", wanted=_GROUP
            )
        for label in labels:
            if when is not None and label == ANY:
                continue
            if when is not None and label in (OTHER, HEAD):
                raise place.error(
                    "order",
                    f"{label} takes no condition; {ANY} with a condition is children of any label",
                    label,
                )
            self._check_label(label, labels, place)
        return Group(labels=labels, reverse=reverse, when=when)

    def _check_label(self, label: str, labels: tuple[str, ...], place: _Place) -> None:
        if label in (OTHER, HEAD):
            if len(labels) > 1:
                raise place.error(
                    "order",
                    f"{label} stands in a group with {_other(labels, label)}; it must be a group of its own",
                    label,
                )
            return
        if label.upper() in (OTHER, HEAD) and self.labels.why_not(label) is not None:
            raise place.error(
                "order", f"there is no label {label!r}; did you mean {label.upper()}?", label
            )
        if self.labels.known and label.endswith(tuple(self.labels.separators)):
            raise place.error(
                "order",
                f"{label!r} names no subtype; write {label[:-1]} for the label alone, {label}{ANY} for all "
                "its subtypes",
                label,
            )
        stem = label.removesuffix(ANY)
        if ANY in stem or (stem != label and stem[-1:] not in tuple(self.labels.separators)):
            separator = self.labels.separators[0]
            raise place.error(
                "order",
                f"{label!r} is no pattern; a wildcard stands for a subtype, such as nsubj{separator}{ANY}",
                label,
            )
        reason = self.labels.why_not(label)
        if reason is not None:
            raise place.error("order", f"there is no label {label!r}; {reason}", label)


def _check_reached(
    head: str,
    when: Condition | None,
    seen: Sequence[tuple[int, Condition | None]],
    place: _Place,
) -> None:
    """Raise an `InputError` if an earlier rule takes all heads that this one is for."""
    for number, condition in seen:
        if condition is None and when is None:
            raise place.error(
                "head",
                f"{head} already has rule {number}; a category has one rule without a condition",
                head,
            )
        if condition is None:
            raise place.error(
                "head",
                f"{head} already has rule {number}, which has no condition and takes them all; rules with when "
                "stand before it",
                head,
            )
        if when is not None and condition.folded() == when.folded():
            raise place.error("when", f"{head} already has rule {number} with this condition")


def _check_groups(groups: tuple[Group, ...], place: _Place) -> None:
    listed = [
        (label, None if group.when is None else group.when.folded())
        for group in groups
        for label in group.labels
    ]
    for special in (HEAD, OTHER):
        count = listed.count((special, None))
        if count != 1:
            raise place.error(
                "order",
                f"{special} occurs {count} times; every rule names HEAD and OTHER exactly once",
            )
    for each in listed:
        if listed.count(each) > 1:
            label, when = each
            held = "" if when is None else " with one condition"
            raise place.error(
                "order", f"{label} occurs twice{held}; a label belongs to one group", label
            )


def _other(labels: tuple[str, ...], label: str) -> str:
    return next((each for each in labels if each != label), label)
