"""The permutation forest as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kilter.core.errors import InputError

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.core.permutation_forest import PermutationForest


# A monotone stretch of a thousand words has 1.7 * 10^8 inferences: a file nobody could open.
_MOST_INFERENCES = 50_000_000


def write_forest(forest: PermutationForest, out: TextIO) -> None:
    """Write the chart on one line, entry by entry: spans are fenceposts, ordered by start and end.

    A leaf has the operator null and no splits.
    """
    if forest.inference_count > _MOST_INFERENCES:
        raise InputError(
            f"the forest of {len(forest.permutation)} elements has {forest.inference_count} inferences, "
            f"more than the {_MOST_INFERENCES} that can be written; use --tree"
        )
    head = {
        "permutation": list(forest.permutation.one_based()),
        "spans": forest.span_count,
        "inferences": forest.inference_count,
    }
    out.write(json.dumps(head)[:-1] + ', "entries": [')
    for place, entry in enumerate(forest):
        row = {
            "span": list(entry.span),
            "operator": list(entry.operator) or None,
            "splits": [list(cut) for cut in entry.inferences],
        }
        out.write((", " if place else "") + json.dumps(row))
    out.write("]}\n")
