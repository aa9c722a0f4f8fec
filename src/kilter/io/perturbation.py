"""Perturbed translations in JSON as DEMETR lays them out, or in tables; labelled outputs in tables.

M. Karpinska et al., DEMETR: Diagnosing Evaluation Metrics for Translation (EMNLP 2022).
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.core.judgments import LabelledOutputs, PerturbedPairs
from kilter.io.compression import format_suffix
from kilter.io.json_text import parse_json
from kilter.io.table import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.io.stream import ByteSource

# In each of the lists the first name that is there counts.
_REFERENCE = ("reference", "eng_sent", "ref")
_ORIGINAL = ("original", "mt_sent", "mt")
_PERTURBED = ("perturbed", "pert_sent", "pert")
_KIND = ("kind", "pert_name", "perturbation")
_OUTPUT = ("output", "hypothesis", "mt", "system_output")


def read_perturbed(source: ByteSource) -> PerturbedPairs:
    """Return the pairs of a JSON list of objects, or of a table, by the suffix of the name.

    An object has `reference`, `original`, `perturbed` and `kind`, or the names of DEMETR: `eng_sent`,
    `mt_sent`, `pert_sent` and `pert_name`; a table has these columns.
    """
    if format_suffix(source.path) == ".json":
        return _from_json(source)
    table = read_table(
        source,
        check=lambda header: header.need_all(
            "changed translations", _REFERENCE, _ORIGINAL, _PERTURBED
        ),
    )
    columns = [table.columns[table.need(*names)] for names in (_REFERENCE, _ORIGINAL, _PERTURBED)]
    kind = table.find(*_KIND)
    kinds = table.columns[kind] if kind else ("perturbed",) * len(table)
    return _filled(
        source.name,
        PerturbedPairs(
            kinds=kinds, references=columns[0], originals=columns[1], perturbed=columns[2]
        ),
    )


def _from_json(source: ByteSource) -> PerturbedPairs:
    data = b"".join(source.chunks())
    try:
        document = parse_json(data)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg}", where=f"{source.name}:{error.lineno}"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8; convert it, e.g. with iconv", where=source.name) from error
    if not isinstance(document, list):
        raise InputError("is not a list of objects, one a pair", where=source.name)
    rows = [
        [
            _text(source.name, number, entry, names)
            for names in (_KIND, _REFERENCE, _ORIGINAL, _PERTURBED)
        ]
        for number, entry in enumerate(document, start=1)
    ]
    kinds, references, originals, perturbed = zip(*rows, strict=True) if rows else ((),) * 4
    return _filled(
        source.name,
        PerturbedPairs(
            kinds=kinds, references=references, originals=originals, perturbed=perturbed
        ),
    )


def _text(file: str, number: int, entry: object, names: tuple[str, ...]) -> str:
    where = f"{file}: object {number}"
    if not isinstance(entry, dict):
        raise InputError("is not an object", where=where)
    name = next((name for name in names if name in entry), None)
    if name is None:
        raise InputError(f"has none of {', '.join(names)}", where=where)
    if not isinstance(entry[name], str):
        raise InputError(f"{name} is {entry[name]!r}; it must be a text", where=where)
    # A line break would be a second segment.
    return " ".join(entry[name].splitlines())


def _filled(file: str, pairs: PerturbedPairs) -> PerturbedPairs:
    if not len(pairs):
        raise InputError("holds no pair", where=file)
    return pairs


def read_labelled(source: ByteSource, *, tags: Sequence[str] = ()) -> LabelledOutputs:
    """Return outputs of a table with references; wrong where `label` is 1, or where `tags` hold one that is asked for.

    Tags stand between blanks, commas or semicolons; `*`, `?` and `[...]` in one that is asked for stand
    for others. One that no output has is an `InputError`.
    """
    marks = ("tags",) if tags else ("label",)
    table = read_table(
        source,
        check=lambda header: header.need_all("labelled outputs", _OUTPUT, _REFERENCE, marks),
    )
    outputs = table.columns[table.need(*_OUTPUT)]
    references = table.columns[table.need(*_REFERENCE)]
    if not tags:
        labels = table.integers(table.need("label"), low=0)
        beyond = [row for row in range(len(table)) if labels[row] > 1]
        if beyond:
            raise InputError(
                f"label is {labels[beyond[0]]}; it is 1 for an error of order, else 0",
                where=table.where(beyond[0]),
            )
        wrong = tuple(bool(label) for label in labels)
    else:
        cells = table.columns[table.need("tags")]
        listed = [cell.replace(",", " ").replace(";", " ").split() for cell in cells]
        there = dict.fromkeys(tag for row in listed for tag in row)
        asked = set()
        for tag in tags:
            matches = [other for other in there if other == tag or fnmatchcase(other, tag)]
            if not matches:
                raise InputError(
                    f"no output has the tag {tag!r}; there are: {', '.join(there) or 'none'}",
                    where=table.name,
                )
            asked.update(matches)
        wrong = tuple(not asked.isdisjoint(row) for row in listed)
    if not any(wrong) or all(wrong):
        raise InputError(
            f"{sum(wrong)} of {len(wrong)} outputs are labelled as wrong; there must be both kinds",
            where=table.name,
        )
    return LabelledOutputs(references=references, outputs=outputs, wrong=wrong)
