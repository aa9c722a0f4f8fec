"""Aligners by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.options.registry import Registry

if TYPE_CHECKING:
    from kilter.aligners.aligner import Aligner

ALIGNERS: Registry[Aligner] = Registry("kilter.aligners", "aligner")


def aligner(specification: str) -> Aligner:
    """Return the aligner of a specification such as `match` or `match:language=de`."""
    return ALIGNERS.make(specification)
