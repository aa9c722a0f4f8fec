"""Rule sets in TOML files: every mistake with file, rule and field, and what is allowed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.errors import InputError, OptionError
from kilter.formats.toml_table import TomlTable, parse_toml, read_toml
from kilter.options.argument import checked
from kilter.preordering.label_set import LABEL_SETS, TAG_SETS, NameSet
from kilter.preordering.rule_set import ANY, HEAD, OTHER, Group, Method, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FIELDS = ("name", "description", "method", "labels", "tags", "keep_final_punctuation", "rule")
_RULE_FIELDS = ("head", "order")
_GROUP_FIELDS = ("labels", "reverse")
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
    return _rule_set(read_toml(name, needs=_HINT), Path(name).stem)


def as_rule_set(rules: RuleSet | str) -> RuleSet:
    """Return a rule set that is given, or named as `load_rule_set` takes it."""
    return load_rule_set(rules) if isinstance(rules, str) else rules


def parse_rule_set(text: str, *, where: str, name: str) -> RuleSet:
    """Return the rule set of a TOML text; `name` is what it is called unless it says so itself."""
    return _rule_set(parse_toml(text, where=where), name)


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
    labels = [name for name in names if name not in (OTHER, HEAD)]
    heads = [head for rule in rules.rules for head in rule.heads if head != ANY]
    lines.append(f"labels = {_quoted(_fitting(labels, LABEL_SETS))}")
    lines.append(f"tags = {_quoted(_fitting(heads, TAG_SETS))}")
    lines.append(f"keep_final_punctuation = {str(rules.keep_final_punctuation).lower()}")
    for rule in rules.rules:
        listed = ", ".join(map(_quoted, rule.heads))
        lines += ["", "[[rule]]", f"head = [{listed}]", "order = ["]
        lines += [f"    {_group_text(group)}," for group in rule.groups]
        lines.append("]")
    return "\n".join(lines) + "\n"


def _fitting(names: list[str], sets: Mapping[str, NameSet]) -> str:
    """Return the first set that allows all names."""
    return next(each for each in sets if all(sets[each].why_not(name) is None for name in names))


def _group_text(group: Group) -> str:
    listed = ", ".join(map(_quoted, group.labels))
    if group.reverse:
        return f"{{ labels = [{listed}], reverse = true }}"
    return listed if len(group.labels) == 1 else f"[{listed}]"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _rule_set(table: TomlTable, name: str) -> RuleSet:
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
        rules=_RuleReader(labels, tags).rules(table, method),
        keep_final_punctuation=table.flag("keep_final_punctuation", default=False),
    )


def _names(table: TomlTable, key: str, sets: Mapping[str, NameSet]) -> NameSet:
    if not isinstance(table.take(key, (str, list), "ud"), list):
        return sets[table.one_of(key, sets, "ud")]
    own = table.words(key, wanted="a list of names")
    return NameSet(f"{key} of this file", frozenset(own), "")._replace(
        separators=sets["any"].separators
    )


def _place(number: int, entry: Mapping[str, Any]) -> str:
    heads = entry.get("head")
    listed = [heads] if isinstance(heads, str) else heads
    known = isinstance(listed, list) and all(isinstance(head, str) for head in listed)
    named = f" ({' '.join(listed)})" if known and listed else ""
    return f"rule {number}{named}"


@dataclass(frozen=True, slots=True)
class _RuleReader:
    """Reads the rules of a file whose labels and tags are known."""

    labels: NameSet
    tags: NameSet

    def rules(self, table: TomlTable, method: Method) -> tuple[Rule, ...]:
        listed = table.tables("rule", _place)
        if method is not Method.PRECEDENCE and listed:
            raise table.error(
                f"field rule: the method {method} takes no rules; remove them, or the method"
            )
        if method is Method.PRECEDENCE and not listed:
            raise table.error(f"field rule: there is no rule; {_HINT}")
        seen: dict[str, int] = {}
        rules = []
        for number, entry in enumerate(listed, start=1):
            rules.append(self._rule(entry))
            for head in rules[-1].heads:
                if head in seen:
                    raise entry.error(
                        f"field head: {head} already has rule {seen[head]}; a category has one rule"
                    )
                seen[head] = number
        return tuple(rules)

    def _rule(self, entry: TomlTable) -> Rule:
        entry.allow(_RULE_FIELDS)
        heads = entry.words("head", wanted="a tag such as VERB, or a list of tags")
        for head in heads:
            reason = None if head == ANY else self.tags.why_not(head)
            if reason is not None:
                raise entry.error(f"field head: there is no tag {head!r}; {reason}")
        order = entry.take("order", list, [])
        if not order:
            raise entry.error(
                "field order: must be a list of labels and groups, with OTHER and HEAD"
            )
        groups = tuple(self._group(each, entry.where) for each in order)
        _check_groups(groups, entry.where)
        return Rule(heads=heads, groups=groups)

    def _group(self, entry: object, place: str) -> Group:
        reverse = False
        if isinstance(entry, dict):
            table = TomlTable(entry, where=f"{place}: field order")
            table.allow(_GROUP_FIELDS)
            reverse = table.flag("reverse", default=False)
            labels = table.words("labels", wanted="a label or a list of labels")
        else:
            labels = TomlTable({"order": entry}, where=place).words("order", wanted=_GROUP)
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


def _check_groups(groups: tuple[Group, ...], place: str) -> None:
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


def _other(labels: tuple[str, ...], label: str) -> str:
    return next((each for each in labels if each != label), label)
