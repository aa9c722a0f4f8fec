"""What figures call tools and their variants."""

from __future__ import annotations

from kilter.study.analysis.variant import variant_name


def tool_label(tool: str, variant: str) -> str:
    """Return a short label: DTED and DERP with the variants' names of [TH], others as they are named.

    >>> tool_label("dted", "variant=co,flat=true"), tool_label("derp", "flat=true"), tool_label("bleu", "")
    ('dted fco', 'fderp', 'bleu')
    """
    short = variant_name(tool, variant)
    if short is None:
        return f"{tool}:{variant}" if variant else tool
    return short if tool == "derp" else f"{tool} {short}"
