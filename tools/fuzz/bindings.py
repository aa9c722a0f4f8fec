"""Every binding of the compiled core with arguments made of a fuzzer's bytes.

A good call of `tests/kernels/hostile.py` is changed: numbers inside arrays, their lengths, shapes and types,
and single numbers. The call is answered, or refused with a `TypeError` or a `ValueError`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.kernels.hostile import CLASSES, FUNCTIONS, good_calls
from tools.fuzz.given import Given

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kernels.hostile import Call

GROUPS: dict[str, tuple[str, ...]] = {
    "permutations": (
        "score", "score_trees", "score_flat_operators", "score_kendall", "score_beer", "score_pairs",
        "block_moves", "find_fault", "tree", "linear_widths", "log_tree_count", "score_with_operators",
        "PermutationReader",
    ),
    "links": (
        "link_outside", "collect_links", "linked_words", "link_pairs", "reorder", "link_lines", "symmetrize",
        "reordering_counts", "reordering_words",
    ),
    "words": (
        "count_ngrams", "count_common_ngrams", "word_likeness", "sum_information", "count_word_errors",
        "count_shift_edits", "match_ribes", "bleu_scores", "Interner", "format_rows",
    ),
    "match": ("match", "match_cells", "similar_cells", "learned_cells", "em_decode", "EmTrainer"),
    "trees": (
        "edit_distances", "flat_edit_distances", "edit_mapping", "path_disparities", "reference_disparities",
        "flat_path_disparities", "path_edges", "long_edit_distances", "mapping_fits", "spanning_trees",
        "tree_orders",
    ),
    "resampling": (
        "resampled_counts", "resampled_indices", "philox",
        "resampled_spearman", "count_sign_flips",
    ),
}  # fmt: skip
"""Which bindings are fuzzed together; whatever is not named here, models above all, is a group of its own."""
GROUPS["models"] = tuple(
    sorted({*FUNCTIONS, *CLASSES} - {name for names in GROUPS.values() for name in names})
)

TYPES = (
    "int8",
    "uint8",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float32",
    "float64",
    "object",
    "U1",
)
MOST = 64
"""Arrays grow to so many rows."""
SMALL = (
    "jobs", "resamples", "segments", "count", "effort", "iterations", "width", "alternatives", "most",
    "bits", "move_bits", "label_bits", "classes", "labels", "rows", "bound", "trials", "cached_cells",
    "source_words", "target_words", "words", "reach", "systems",
)  # fmt: skip
"""How much is to be done is the caller's choice: large numbers there only take long, or much memory."""


@cache
def calls(group: str) -> list[Call]:
    """Return the good calls of a group."""
    return [call for call in good_calls() if call.name.partition(".")[0] in GROUPS[group]]


def target(group: str) -> Callable[[bytes], None]:
    """Return what takes the fuzzer's bytes for a group of bindings."""

    def check(data: bytes) -> None:
        given = Given(data)
        call = given.choice(calls(group))
        arguments = dict(call.arguments)
        unchanged = sorted(arguments)
        for _ in range(min(given.number(0, 3), len(unchanged))):
            name = given.choice(unchanged)
            unchanged.remove(name)
            arguments[name] = changed(arguments[name], name, given)
        try:
            call.function(**arguments)
        except (TypeError, ValueError) as error:
            assert str(error)  # noqa: PT017 - an error is one of two outcomes

    return check


def changed(value: Any, name: str, given: Given) -> Any:
    """Return an argument with something changed."""
    whole = (-2, 16) if "bits" in name else (-2, 40) if name in SMALL else (-(2**63), 2**64)
    ways: dict[type, Callable[[], Any]] = {
        np.ndarray: lambda: _changed_array(value, given),
        bool: given.chance,
        int: lambda: given.number(*whole),
        float: given.real,
        bytes: lambda: given.take(given.number(0, 200)),
        str: lambda: given.text(given.number(0, 40)),
        list: lambda: [changed(e, name, given) for e in value for _ in range(given.number(0, 2))],
        tuple: lambda: tuple(changed(each, name, given) for each in value),
    }
    return ways.get(type(value), lambda: given.choice([value, None, 5, "a"]))()


def _changed_array(value: np.ndarray, given: Given) -> Any:
    # Names and flags keep their type: there are no other numbers of them.
    match given.number(0, 5) if value.dtype.kind in "iuf" else given.number(1, 3):
        case 0:  # another type
            with np.errstate(invalid="ignore", over="ignore"):
                return value.astype(given.choice(TYPES))
        case 1:  # another shape
            size = value.size
            rows = given.number(1, max(size, 1))
            return (
                value.reshape(-1)[: size // rows * rows].reshape(rows, -1) if size else value[None]
            )
        case 2:  # another length
            return np.resize(value, (given.number(0, MOST), *value.shape[1:]))
        case 3:  # gaps
            return value[:: given.choice([2, -1])]
        case _:  # other numbers
            return _other_numbers(value, given)


def _other_numbers(value: np.ndarray, given: Given) -> np.ndarray:
    new = np.array(np.resize(value, (given.number(0, MOST), *value.shape[1:])))
    flat = new.reshape(-1)
    for _ in range(given.number(0, 2 * flat.size)):
        if not flat.size or not given.left():
            break
        place = given.number(0, flat.size - 1)
        if value.dtype.kind == "f":
            with np.errstate(over="ignore"):
                flat[place] = given.choice([given.real(), float(given.number(-3, 3)), 0.5])
        else:
            limits = np.iinfo(value.dtype)
            small = given.number(max(limits.min, -2), 20)
            flat[place] = given.choice([small, small, small, limits.min, limits.max])
    if value.ndim == 1 and value.dtype == np.int64 and given.chance():  # as offsets are
        flat.sort()
        if flat.size:
            flat[0] = 0
    return new
