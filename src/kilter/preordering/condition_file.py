"""Conditions in TOML: read with every mistake named, and written so that they can be read again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from kilter.preordering.condition import ANY, Condition, Side

if TYPE_CHECKING:
    from kilter.io.toml_table import TomlTable

_FIELDS = (
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
        table.allow(_FIELDS)
        if not table.names():
            raise table.error(f"says nothing; name at least one of {', '.join(_FIELDS)}")
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
                f"label is {label!r}, which is no pattern; a wildcard stands for a subtype, such as "
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
