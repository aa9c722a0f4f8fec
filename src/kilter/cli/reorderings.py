"""Reordered sentences as commands read them: links, references and rules, as options and as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kilter.core.settings import Group, InputFile, flag, setting
from kilter.io.link_format import LinkFormat
from kilter.io.reordering import ReorderingForm, form_of, read_reorderings
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_text_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.reordering import PrintedOrder


@dataclass(frozen=True, kw_only=True)
class OptionalSourceLinks:
    """A file of source-target links, that may be left out."""

    links: InputFile | None = setting(
        "-a", "--links", default=None, description="Source-target links."
    )
    link_format: LinkFormat = setting(
        default=LinkFormat.PHARAOH, group=Group.INPUT, description="Format of the link files."
    )
    possible: bool = flag(group=Group.INPUT, description="Use possible links as well as sure ones.")


@dataclass(frozen=True, kw_only=True)
class SourceLinks(OptionalSourceLinks):
    """A file of the links that reference reorderings are made from."""

    links: InputFile = setting("-a", "--links", description="Source-target links.")


@dataclass(frozen=True, kw_only=True)
class OptionalReferenceFile:
    """Reference reorderings, that may be left out."""

    reference: InputFile | None = setting(
        "-R",
        "--reference",
        default=None,
        description="Reference reorderings, to score the sentence.",
    )
    reference_form: ReorderingForm | None = setting(
        "--reference-format",
        old=("--reference-form",),
        default=None,
        group=Group.INPUT,
        description="Format of the references.  [default: by suffix]",
    )


@dataclass(frozen=True, kw_only=True)
class ReferenceFile(OptionalReferenceFile):
    """Reference reorderings."""

    reference: InputFile = setting("-R", "--reference", description="Reference reorderings.")

    def read(self) -> PrintedOrder:
        """Return the reorderings."""
        return read_reorderings(ByteSource(self.reference), form=self.reference_form)


def rules_setting(description: str) -> Any:
    """Declare a rule set, or several."""
    return setting(
        "-r", "--rules", metavar="NAME|FILE.toml", group=Group.INPUT, description=description
    )


def read_source(path: str) -> Sequence[str | Sequence[str]]:
    """Return the lines of a text, or the words of each sentence of a `.jsonl` file of reorderings."""
    if form_of(path) is ReorderingForm.JSONL:
        return read_reorderings(ByteSource(path)).sources or ()
    return read_text_file(path)


def read_orders(
    names: Sequence[str], paths: Sequence[str], form: str | None
) -> dict[str, PrintedOrder]:
    """Return reordered sentences by the names of their systems."""
    return {
        name: read_reorderings(ByteSource(path), form=form)
        for name, path in zip(names, paths, strict=True)
    }
