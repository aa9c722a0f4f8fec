"""Names, variants and families of tools. [TH] table 7.2, section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.settings import Choice
from kilter.render.chart.drawing import Style
from kilter.render.chart.frame import Key
from kilter.run.meta.hypothesis import VARIANTS
from kilter.study.judgments.judgment_study import DEGREE_TOOL, RANK_TOOL

if TYPE_CHECKING:
    from collections.abc import Iterable


_YES = ("true", "yes")


def variant_name(tool: str, variant: str) -> str | None:
    """Return the short name of a variant of DTED or DERP, f for flattened; None for other tools.

    Options that [TH] does not know, such as how labels are used, make another tool of it.

    >>> variant_name("dted", "variant=co,flat=true"), variant_name("derp", ""), variant_name("bleu", "")
    ('fco', 'derp', None)
    """
    options = dict(part.partition("=")[::2] for part in variant.split(",") if part)
    flat = "f" if options.pop("flat", "false").lower() in _YES else ""
    if tool == "dted":
        name = options.pop("variant", "c")
    elif tool == "derp":
        name = tool
    else:
        return None
    return None if options else flat + name


def tool_label(tool: str, variant: str) -> str:
    """Return a short label: DTED and DERP with the variants' names of [TH], others as they are named.

    >>> tool_label("dted", "variant=co,flat=true"), tool_label("derp", "flat=true"), tool_label("bleu", "")
    ('dted fco', 'fderp', 'bleu')
    """
    short = variant_name(tool, variant)
    if short is None:
        return f"{tool}:{variant}" if variant else tool
    return short if tool == "derp" else f"{tool} {short}"


BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk", RANK_TOOL, DEGREE_TOOL)
"""What variants must outperform, as published."""


class ToolFamily(Choice):
    """What a tool is to a study of variants of DTED and DERP."""

    BASELINE = "baselines"
    DTED = "DTED"
    FLAT_DTED = "flattened DTED"
    DERP = "DERP"
    FLAT_DERP = "flattened DERP"
    OTHER = "other metrics"
    EXTERNAL = "external tools"


PUBLISHED = tuple(ToolFamily)[:5]
"""Families that [TH] compares; figures of these stand by themselves."""

# Okabe-Ito, distinguishable for colour-blind readers; what is flattened is the lighter one of two.
_COLOURS = {
    ToolFamily.BASELINE: "#555555",
    ToolFamily.DTED: "#0072b2",
    ToolFamily.FLAT_DTED: "#56b4e9",
    ToolFamily.DERP: "#d55e00",
    ToolFamily.FLAT_DERP: "#e69f00",
    ToolFamily.OTHER: "#009e73",
    ToolFamily.EXTERNAL: "#cc79a7",
}


def tool_family(tool: str, variant: str, *, external: bool = False) -> ToolFamily:
    """Return the family of a tool; rank scores are a baseline wherever they come from.

    >>> tool_family("dted", "variant=b,flat=true"), tool_family("bleu", ""), tool_family("kendall", "")
    (<ToolFamily.FLAT_DTED: 'flattened DTED'>, <ToolFamily.BASELINE: 'baselines'>, <ToolFamily.OTHER: 'other metrics'>)
    """
    if tool in BASELINES:
        return ToolFamily.BASELINE
    if external:
        return ToolFamily.EXTERNAL
    short = variant_name(tool, variant)
    if short is None:
        return ToolFamily.OTHER
    if tool == "derp":
        return ToolFamily.FLAT_DERP if short.startswith("f") else ToolFamily.DERP
    return ToolFamily.FLAT_DTED if short.startswith("f") else ToolFamily.DTED


def tool_place(tool: str, variant: str, *, external: bool = False) -> tuple[int, int]:
    """Return where a tool stands among others: by family, variants in the order of [TH].

    >>> tool_place("bleu", "") < tool_place("dted", "variant=b") < tool_place("dted", "")
    True
    """
    families = list(ToolFamily)
    family = tool_family(tool, variant, external=external)
    short = None if external else variant_name(tool, variant)
    return families.index(family), VARIANTS.index(short) if short in VARIANTS else len(VARIANTS)


def family_colour(family: ToolFamily) -> str:
    """Return the colour of a family."""
    return _COLOURS[family]


def variant_colour(name: str) -> str:
    """Return the colour of a variant of DTED or DERP by its short name, none for any other name."""
    if name not in VARIANTS:
        return ""
    families = {
        (False, False): ToolFamily.DTED,
        (False, True): ToolFamily.FLAT_DTED,
        (True, False): ToolFamily.DERP,
        (True, True): ToolFamily.FLAT_DERP,
    }
    return _COLOURS[families[name.endswith("derp"), name.startswith("f")]]


def family_keys(families: Iterable[ToolFamily], *, shape: str = "box") -> list[Key]:
    """Return the entries of a legend for the families that occur, in their order."""
    there = set(families)
    return [
        Key(str(family), shape, Style(_COLOURS[family], "", "circle", "full"))
        for family in ToolFamily
        if family in there
    ]
