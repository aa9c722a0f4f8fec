"""Parsers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.registry import Registry

if TYPE_CHECKING:
    from kilter.parsers.parser import Parser

PARSERS: Registry[Parser] = Registry("kilter.parsers", "parser")


def parser(specification: str) -> Parser:
    """Return the parser of a specification such as `model` or `udpipe:file=english.udpipe`."""
    return PARSERS.make(specification)
