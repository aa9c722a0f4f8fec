"""Links and translations of a project as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, OptionError
from kilter.core.links import LinkBatch
from kilter.core.settings import Choice, chosen
from kilter.io.link_format import LinkFormat
from kilter.io.link_writer import write_links
from kilter.io.output import new_folder, write_file
from kilter.io.spreadsheet import guarded
from kilter.results.document import Document, document
from kilter.study.annotation.agreed_link import agreed_links
from kilter.study.annotation.annotation import Annotation
from kilter.study.annotation.annotator_agreement import graded
from kilter.study.annotation.examination import examine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kilter.study.annotation.project import Project, ProjectSentence

AGREED = "agreed"
"""What the links are called that all annotators of a sentence drew."""
_COLUMNS = ("number", "account", "state", "translation", "comment", "bookmark", "seconds", "findings",
            "version", "saved_at")  # fmt: skip


class DetailFormat(Choice):
    """How comments, bookmarks and times are written."""

    JSONL = "jsonl"
    TSV = "tsv"


class PossibleLinks(Choice):
    """What becomes of links that are only possible: they are marked, written as sure ones, or left out."""

    MARKED = "marked"
    SURE = "sure"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """How many sentences were written, how many are empty lines, or left out, since they are not done."""

    written: int
    left_out: int
    different: int = 0
    """Of those left out, sentences whose annotators wrote different translations."""


def chosen_annotations(
    project: Project, annotations: Sequence[Annotation], *, account: str, unfinished: bool = False
) -> tuple[list[Annotation], Export]:
    """Return what an account has made, or with `AGREED` what all annotators of a sentence have in common.

    Sentences that are not done are left out, unless `unfinished`; so are sentences whose annotators wrote
    different translations, if what they agree on is asked for.
    """
    numbers = len(project.sentences) if account == AGREED else len(project.dealt(account))
    if account != AGREED:
        found = [each for each in annotations if each.account == account]
        taken = [each for each in found if each.done or unfinished]
        return taken, Export(written=len(taken), left_out=numbers - len(taken))
    taken, different = list[Annotation](), 0
    for sentence in project.sentences:
        made = [
            each
            for each in annotations
            if each.sentence == sentence.number and each.account in sentence.annotators
        ]
        if len(made) < len(sentence.annotators) or not all(
            each.done or unfinished for each in made
        ):
            continue
        if len({tuple(project.target_words(each.translation)) for each in made}) > 1:
            different += 1
            continue
        taken.append(_agreed(project, sentence, made))
    return taken, Export(written=len(taken), left_out=numbers - len(taken), different=different)


def _agreed(project: Project, sentence: ProjectSentence, made: Sequence[Annotation]) -> Annotation:
    links = agreed_links([each.drawn for each in made])
    target = project.target_words(made[0].translation)
    return Annotation(
        account=AGREED,
        sentence=sentence.number,
        version=max(each.version for each in made),
        translation=made[0].translation,
        links=links,
        findings=len(examine(project, sentence.words, target, links).remarks),
        done=all(each.done for each in made),
        seconds=sum(each.seconds for each in made),
        saved_at=max(each.saved_at for each in made),
    )


def write_export(
    project: Project,
    taken: Sequence[Annotation],
    folder: Path,
    *,
    form: LinkFormat | str = LinkFormat.SURE_POSSIBLE,
    details: DetailFormat | str = DetailFormat.JSONL,
    possible: PossibleLinks | str = PossibleLinks.MARKED,
    dense: bool = False,
) -> None:
    """Write annotations into a new folder, in files that belong together.

    They have a line for each sentence of the project, empty where nothing is written, so that exports of several
    people belong together, too; `dense` ones have no such lines. All of them are for their owner only.
    `source.txt` and `target.txt` hold the words with blanks between, `translation.txt` the translations as they
    were written, `links.txt` the links, and `details.jsonl` or `details.tsv` all that is known beside them.
    """
    form = chosen(LinkFormat, form, "form")
    if not taken:
        raise InputError(
            "there is nothing to write: no sentence is done by all whose work is asked for; see 'kilter "
            "annotate status'",
            where=str(project.folder),
        )
    by_number = {each.sentence: each for each in taken}
    numbers = sorted(by_number) if dense else [each.number for each in project.sentences]
    rows = [by_number.get(number) or _nothing(number) for number in numbers]
    sources = [list(project.sentence(n).words) if n in by_number else [] for n in numbers]
    targets = [project.target_words(each.translation) for each in rows]
    batches = _written_links(rows, chosen(PossibleLinks, possible, "possible"))
    try:
        lines = [*write_links(batches[0], form=form, possible=batches[1], texts=(sources, targets))]
    except OptionError as error:
        raise OptionError(
            f"{error}; or say --possible sure, which writes possible links as sure ones, or --possible none"
        ) from error
    with new_folder(folder) as temporary:
        kind = chosen(DetailFormat, details, "details")
        for name, content in {
            "source.txt": _lines(" ".join(words) for words in sources),
            "target.txt": _lines(" ".join(words) for words in targets),
            "translation.txt": _lines(each.translation for each in rows),
            "links.txt": _lines(lines),
            f"details.{kind}": _details(taken, kind),
        }.items():
            write_file(temporary / name, content, private=True)


def _written_links(
    rows: Sequence[Annotation], possible: PossibleLinks
) -> tuple[LinkBatch, LinkBatch | None]:
    """Return the links that are written as sure ones, and those that are marked as possible, if any."""
    sure, every = graded(rows)
    if possible is not PossibleLinks.MARKED:
        return (every if possible is PossibleLinks.SURE else sure), None
    marked = LinkBatch.of([{*every.segment(k)} - {*sure.segment(k)} for k in range(len(rows))])
    return sure, marked if len(marked.links) else None


def _nothing(number: int) -> Annotation:
    return Annotation(account="", sentence=number, version=0, translation="", links=())


def _lines(lines: object) -> str:
    return "".join(f"{line}\n" for line in lines)  # type: ignore[attr-defined]


def _details(taken: Sequence[Annotation], kind: DetailFormat) -> str:
    rows = [_row(each) for each in taken]
    if kind is DetailFormat.JSONL:
        for row, each in zip(rows, taken, strict=True):
            row["links"] = document(each.links)
        return _lines(json.dumps(row, ensure_ascii=False) for row in rows)
    text = io.StringIO()
    # Comments may hold tabs and line ends, which are quoted here and lost in our other tables.
    writer = csv.DictWriter(text, _COLUMNS, dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        row["bookmark"] = str(row["bookmark"]).lower()
        cells = {key: guarded(cell) if isinstance(cell, str) else cell for key, cell in row.items()}
        writer.writerow(cells)
    return text.getvalue()


def _row(annotation: Annotation) -> Document:
    row: Document = {name: getattr(annotation, name, None) for name in _COLUMNS}
    return row | {"number": annotation.sentence, "state": str(annotation.state)}
