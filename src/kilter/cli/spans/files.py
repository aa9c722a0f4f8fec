"""What the commands of spans ask of a file of spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.settings import Group, InputFile, setting
from kilter.io.spans.entry import SpanFormatName
from kilter.io.spans.format import read_spans
from kilter.io.text_file import read_text_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.spans import Spans


@dataclass(frozen=True, kw_only=True)
class SpanFiles:
    """How files of spans are read, and which of their segments count."""

    form: SpanFormatName | None = setting(
        "--from",
        default=None,
        group=Group.INPUT,
        description="Format of the input.  [default: by its content]",
    )
    text: InputFile | None = setting(
        default=None,
        group=Group.INPUT,
        description="Text that was marked, for formats without it.",
    )
    system: str | None = setting(
        default=None,
        metavar="NAME",
        group=Group.INPUT,
        description="Take one system; where the file names none, call it so.",
    )
    annotator: str | None = setting(
        default=None,
        metavar="NAME",
        group=Group.INPUT,
        description="Take the spans of one annotator.",
    )

    def read(self, path: str, *, check: bool = True) -> Spans:
        """Return the spans of a file that count."""
        spans = read_spans(path, form=self.form, text=self.lines(), check=check)
        if self.system is not None and spans.systems in ((), ("",)):
            spans = spans.named(self.system)
        for name, wanted, there in (
            ("system", self.system, spans.systems),
            ("annotator", self.annotator, spans.annotators),
        ):
            if wanted is not None and wanted not in there:
                listed = ", ".join(each or "one without a name" for each in there)
                raise OptionError(f"{path} has no {name} {wanted!r}; it has {listed}")
        return spans.chosen(
            lambda each: (
                self.system in (None, each.system) and self.annotator in (None, each.annotator)
            )
        )

    def lines(self) -> Sequence[str] | None:
        """Return the text that was marked, where one is given."""
        return None if self.text is None else read_text_file(self.text)
