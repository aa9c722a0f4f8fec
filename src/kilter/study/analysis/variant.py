"""What [TH] calls the variants of DTED and DERP. Section 13.4"""

from __future__ import annotations

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
