"""Rule sets in TOML files: every mistake with file, rule and field, and what is allowed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kilter.core.errors import InputError, OptionError
from kilter.core.settings import checked
from kilter.io.toml_table import TomlTable, parse_toml, read_toml_text
from kilter.preordering.condition import Condition, Side
from kilter.preordering.rule_set import ANY, HEAD, OTHER, Group, Method, Rule, RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_CONDITION_FIELDS = (
    "word",
    "lemma",
    "tag",
    "xpos",
    "label",
    "side",
    "children",
    "parent",
    "child",
    "no_child",
)
_NAMES = {
    "word": "a word or a list of words",
    "lemma": "a lemma or a list of lemmas",
    "tag": "a tag such as VERB, or a list of tags",
    "xpos": "a fine tag such as VBZ or VB*, or a list of them",
    "label": "a label or a list of labels",
}
_CHILDREN = "a number, or { least = 1, most = 3 }"


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Reads conditions of a file whose labels and tags are known."""

    labels: NameSet
    tags: NameSet

    def condition(self, table: TomlTable) -> Condition:
        """Return the condition of a table; what it cannot say is an `InputError`."""
        table.allow(_CONDITION_FIELDS)
        if not table.names():
            raise table.error(f"says nothing; name at least one of {', '.join(_CONDITION_FIELDS)}")
        names = {field: table.words(field, (), wanted=wanted) for field, wanted in _NAMES.items()}
        for tag in names["tag"]:
            self._refuse(table, "tag", tag, self.tags)
        for label in names["label"]:
            self._check_label(table, label)
        for tag in names["xpos"]:
            if ANY in tag[:-1]:
                raise table.error(f"xpos is {tag!r}; {ANY} stands at the end, for any ending")
        side = table.one_of("side", Side) if "side" in table else None
        return Condition(
            word=names["word"],
            lemma=names["lemma"],
            tag=names["tag"],
            xpos=names["xpos"],
            label=names["label"],
            side=None if side is None else Side(side),
            children=_children(table) if "children" in table else None,
            parent=self.condition(table.table("parent")) if "parent" in table else None,
            child=self._each(table, "child"),
            no_child=self._each(table, "no_child"),
        )

    def _each(self, table: TomlTable, key: str) -> tuple[Condition, ...]:
        if key not in table:
            return ()
        if isinstance(table.entries[key], list):
            tables = table.tables(key, lambda number, _: f"{key} {number}")
            if not tables:
                raise table.error(
                    f'{key} is an empty list; write a condition such as {{ label = "obj" }}'
                )
            return tuple(map(self.condition, tables))
        wanted = 'a condition such as { label = "obj" }, or a list of them'
        return (self.condition(table.table(key, wanted=wanted)),)

    def _check_label(self, table: TomlTable, label: str) -> None:
        stem = label.removesuffix(ANY)
        separators = tuple(self.labels.separators)
        if ANY in stem or (stem != label and stem[-1:] not in separators):
            raise table.error(
                f"label is {label!r}, which is not a pattern; a wildcard stands for a subtype, such as "
                f"nsubj{separators[0]}{ANY}"
            )
        self._refuse(table, "label", label, self.labels)

    @staticmethod
    def _refuse(table: TomlTable, field: str, name: str, known: NameSet) -> None:
        reason = known.why_not(name)
        if reason is not None:
            raise table.error(f"there is no {field} {name!r}; {reason}")


def _children(table: TomlTable) -> tuple[int, int | None]:
    if not isinstance(table.entries["children"], dict):
        if isinstance(table.entries["children"], bool) or not isinstance(
            table.entries["children"], int
        ):
            raise table.error(f"children is {table.entries['children']!r}; it must be {_CHILDREN}")
        number = table.whole("children")
        return number, number
    bounds = table.table("children")
    bounds.allow(("least", "most"))
    if not bounds.names():
        raise bounds.error("says nothing; name least, most or both")
    least = bounds.whole("least", 0)
    most = bounds.whole("most") if "most" in bounds else None
    if most is not None and most < least:
        raise bounds.error(f"most is {most}, but least is {least}; no number is between them")
    return least, most


def condition_text(condition: Condition) -> str:
    """Return a condition as an inline table.

    >>> condition_text(Condition(lemma=("not",), children=(0, 0)))
    '{ lemma = "not", children = 0 }'
    """
    said = [
        f"{field} = {names_text(names)}" for field in _NAMES if (names := getattr(condition, field))
    ]
    if condition.side is not None:
        said.append(f"side = {_quoted(condition.side)}")
    if condition.children is not None:
        said.append(f"children = {_children_text(*condition.children)}")
    if condition.parent is not None:
        said.append(f"parent = {condition_text(condition.parent)}")
    for key, listed in (("child", condition.child), ("no_child", condition.no_child)):
        if len(listed) == 1:
            said.append(f"{key} = {condition_text(listed[0])}")
        elif listed:
            said.append(f"{key} = [{', '.join(map(condition_text, listed))}]")
    return f"{{ {', '.join(said)} }}"


def names_text(names: tuple[str, ...]) -> str:
    """Return a name, or a list of names, as TOML."""
    listed = ", ".join(map(_quoted, names))
    return listed if len(names) == 1 else f"[{listed}]"


def _children_text(least: int, most: int | None) -> str:
    if least == most:
        return str(least)
    bounds = [f"least = {least}"] if least or most is None else []
    bounds += [] if most is None else [f"most = {most}"]
    return f"{{ {', '.join(bounds)} }}"


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


_UD_LABELS = """
acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed flat
goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
# Stanford typed dependencies, basic and collapsed, with the labels that early versions used.
_STANFORD_LABELS = """
abbrev acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm compl conj cop csubj csubjpass dep det
discourse dobj expl goeswith infmod iobj mark measure mwe neg nn npadvmod nsubj nsubjpass num number parataxis partmod
pcomp pobj poss possessive preconj predet prep prepc prt punct purpcl quantmod rcmod ref rel root tmod vmod xcomp xsubj
"""
_UD_TAGS = (
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X CONJ PRT ."
)


class NameSet(NamedTuple):
    """Names that are allowed; a name may go on with a subtype after one of the separators."""

    name: str
    known: frozenset[str]
    separators: str

    def base(self, name: str) -> str:
        """Return the name without its subtype or wildcard."""
        places = [name.find(separator, 1) for separator in self.separators]
        return name[: min((place for place in places if place > 0), default=len(name))]

    def why_not(self, name: str) -> str | None:
        """Return why a name is not allowed, with what is, or None."""
        if not self.known or self.base(name) in self.known:
            return None
        base = self.base(name)
        close = [known for known in self.known if known.lower() == base.lower()]
        close = close or get_close_matches(base, sorted(self.known), n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        return f"{hint}the {self.name} are {' '.join(sorted(self.known))}"


LABEL_SETS = {
    "ud": NameSet("labels of ud", frozenset(_UD_LABELS.split()), ":"),
    "stanford": NameSet("labels of stanford", frozenset(_STANFORD_LABELS.split()), ":_"),
    "any": NameSet("labels", frozenset(), ":_"),
}
TAG_SETS = {
    "ud": NameSet("tags of ud", frozenset(_UD_TAGS.split()), ""),
    "any": NameSet("tags", frozenset(), ""),
}


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


_RULE_SET_FIELDS = (
    "name",
    "description",
    "method",
    "labels",
    "tags",
    "keep_final_punctuation",
    "rule",
)
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


def _rule_set(table: TomlTable, text: str, name: str) -> RuleSet:
    table.allow(_RULE_SET_FIELDS)
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
                f"{label!r} is not a pattern; a wildcard stands for a subtype, such as nsubj{separator}{ANY}",
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
