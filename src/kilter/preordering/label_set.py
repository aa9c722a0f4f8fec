"""Labels and tags that rules may name, so that a misspelt one is found before it silently matches nothing."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

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
