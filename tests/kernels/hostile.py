"""Calls of the compiled core as nobody should make them: good arguments with one thing wrong.

`CALLS` holds one good call of every function, class and method; everything wrong is made of it. A new
binding without an entry here fails `test_hostile_calls.py`.
"""

from __future__ import annotations

import types
from dataclasses import dataclass
from enum import EnumType
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Arguments = dict[str, Any]


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def longs(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def links(*rows: tuple[int, int]) -> np.ndarray:
    return np.array(rows, dtype=np.int32).reshape(-1, 2)


PERMUTATIONS = {"values": ints(2, 0, 1, 1, 0), "offsets": longs(0, 3, 3, 5)}
LINKS = {"links": links((0, 1), (1, 0), (0, 0)), "offsets": longs(0, 2, 3)}
SEGMENT_LINKS = {"links": LINKS["links"], "link_offsets": LINKS["offsets"]}
TREES = {"heads": ints(1, -1, 1, -1, 0), "offsets": longs(0, 3, 5)}
TWO_TREES = {
    "first_heads": ints(1, -1, 1, -1, 0),
    "first_offsets": longs(0, 3, 5),
    "second_heads": ints(-1, 0, -1, 0, 0),
    "second_offsets": longs(0, 2, 5),
}
PAIRS = {"first_trees": longs(0, 1), "second_trees": longs(0, 1), "segments": longs(0, 1)}
WORDS = {"first": ints(0, 1, 2, 1), "first_offsets": longs(0, 3, 4)}
PARTS = {
    "parts": np.arange(18, dtype=np.uint32).reshape(3, 6),
    "offsets": longs(0, 2, 3),
}
BITEXT = {
    "source": ints(0, 1, 1),
    "source_offsets": longs(0, 2, 3),
    "target": ints(1, 0, 0),
    "target_offsets": longs(0, 2, 3),
}
LINKED_TEXTS = {
    "first": ints(0, 1, 0, 2),
    "first_offsets": longs(0, 3, 4),
    "second": ints(1, 0, 2),
    "second_offsets": longs(0, 2, 3),
    "links": links((2, 1)),
    "link_offsets": longs(0, 1, 1),
}
EM = {**BITEXT, "source_words": 2, "target_words": 2, "reach": 3, "cached_cells": 100, "jobs": 2}
SCORING = {"beta": 0.6, "gamma": 0.25, "right_branching": False, "empty": 0.0, "jobs": 2}


def linear_arguments(inputs: int, outputs: int) -> Arguments:
    """Return what makes a product that is computed in whole numbers."""
    counted = np.arange(inputs * outputs).reshape(inputs, outputs)
    return {
        "weights": (counted % 129 - 64).astype(np.int8),
        "shift": np.arange(outputs, dtype=np.int32),
        "unit": np.full(outputs, 1e-3, dtype=np.float32),
        "bias": np.linspace(-1, 1, outputs, dtype=np.float32),
        "inverse": 20.0,
        "zero": 100.0,
    }


def layer_arguments(width: int, inside: int) -> Arguments:
    """Return the parts of a layer of a network."""
    ones, zeros = np.ones(width, dtype=np.float32), np.zeros(width, dtype=np.float32)
    return {
        "attention": _core.Linear(**linear_arguments(width, 3 * width)),
        "output": _core.Linear(**linear_arguments(width, width)),
        "weight1": ones,
        "bias1": zeros,
        "inner": _core.Linear(**linear_arguments(width, inside)),
        "outer": _core.Linear(**linear_arguments(inside, width)),
        "weight2": ones,
        "bias2": zeros,
    }


def network_arguments() -> Arguments:
    """Return the parts of a network that parses: words of 8 numbers, two pieces of 4, two layers."""

    def singles(*shape: int) -> np.ndarray:
        return np.sin(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)

    def small(*shape: int) -> np.ndarray:
        return (np.arange(np.prod(shape)) % 129 - 64).astype(np.int8).reshape(shape)

    return {
        "words": singles(5, 8),
        "pieces": singles(4, 4),
        "input": singles(16, 64),
        "input_bias": singles(64),
        "layers": small(2, 64, 192),
        "layer_scales": singles(2, 192),
        "layer_bias": singles(2, 192),
        "heads": small(64, 45),
        "head_scales": singles(45),
        "head_bias": singles(45),
        "arcs": singles(16, 16),
        "arc_bias": singles(16),
        "root_arc": singles(16),
        "root_label": singles(5),
        "distance": singles(3),
        "labels": singles(5, 4),
        "label_bias": singles(4),
        "root": 2,
    }


NETWORK_TEXT = {
    "words": ints(0, 4, 2),
    "pieces": ints(0, 3, 1, 2, 2, 1).reshape(3, 2),
    "ids": ints(0, 1, 2, 2),
    "offsets": longs(0, 3, 4),
}


def weights(classes: int) -> np.ndarray:
    return (np.arange(4 * classes) % 5).astype(np.int8).reshape(4, classes)


FUNCTIONS: dict[str, Arguments] = {
    "build_details": {},
    "score": {**PERMUTATIONS, **SCORING},
    "score_trees": {**PERMUTATIONS, **SCORING},
    "score_flat_operators": {
        **PERMUTATIONS,
        "measure": _core.FlatMeasure.KENDALL,
        "beta": 0.6,
        "right_branching": True,
        "empty": 0.0,
        "jobs": 1,
    },
    "score_kendall": {**PERMUTATIONS, "empty": 0.0, "jobs": 1},
    "score_beer": {**PERMUTATIONS, "beta": 0.6, "empty": 0.0, "jobs": 1},
    "score_pairs": {
        "first": ints(2, 0, 1, 1, 0),
        "first_offsets": longs(0, 3, 5),
        "second": ints(0, 1, 2, 0, 1),
        "second_offsets": longs(0, 3, 5),
        "empty": 0.0,
        "jobs": 2,
    },
    "block_moves": {**PERMUTATIONS, "effort": 100, "jobs": 2},
    "find_fault": PERMUTATIONS,
    "tree": {"values": ints(1, 3, 0, 2)},
    "linear_widths": {"values": ints(0, 1, 2, 3)},
    "log_tree_count": {"values": ints(0, 1, 2, 3)},
    "score_with_operators": {
        "values": ints(1, 0),
        "operator_scores": np.array([0.5, 0.0, 0.0]),
        "beta": 0.6,
        "right_branching": False,
    },
    "format_rows": {
        "rows": 2,
        "columns": [np.array([0.5, 1.0]), (ints(1, 2, 3), longs(0, 1, 3)), ["a", "b"]],
        "literals": ["<", "|", "|", ">"],
        "widths": [3, 0, 5],
        "people": True,
        "list_separator": " ",
        "list_base": 1,
    },
    "link_outside": {**LINKS, "first_lengths": longs(2, 1), "second_lengths": longs(2, 1)},
    "collect_links": {"owners": longs(1, 0, 1), "links": LINKS["links"], "segments": 2},
    "linked_words": {**LINKS, "jobs": 1},
    "link_pairs": {**LINKS, "sequences": True, "jobs": 1},
    "reorder": {
        **LINKS,
        "lengths": longs(3, 1),
        "key": _core.LinkKey.FIRST,
        "null_word": _core.NullWord.PREVIOUS,
        "grouped": True,
        "jobs": 1,
    },
    "link_lines": {"data": b"0-0 1-1\n2p3 x\n"},
    "count_ngrams": {
        **WORDS,
        "second": [ints(0, 2, 1)],
        "second_offsets": [longs(0, 2, 3)],
        "jobs": 1,
    },
    "count_common_ngrams": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
        "order": 2,
        "jobs": 1,
    },
    "word_likeness": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
        "letters": ints(97, 98, 97),
        "letter_offsets": longs(0, 1, 3, 3),
        "jobs": 1,
    },
    "sum_information": {
        **WORDS,
        "second": [ints(0, 2, 1)],
        "second_offsets": [longs(0, 2, 3)],
        "order": 2,
    },
    "count_word_errors": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
        "jobs": 1,
    },
    "count_shift_edits": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
        "jobs": 1,
    },
    "count_shift_edits_plainly": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
    },
    "match_ribes": {
        **WORDS,
        "second": ints(0, 2, 1),
        "second_offsets": longs(0, 2, 3),
        "jobs": 1,
    },
    "bleu_scores": {
        "rows": np.array([[4.0, 4.0, 3.0, 2.0, 4.0, 3.0]]),
        "smoothing": _core.BleuSmoothing.EXP,
        "effective": True,
        "compensated": False,
    },
    "resampled_counts": {
        "segments": 3,
        "first": 1,
        "size": 2,
        "seed": 1,
        "stream": _core.Stream.INDICES,
        "start": 0,
        "resamples": 3,
        "jobs": 2,
    },
    "resampled_indices": {"segments": 3, "count": 3, "seed": 1, "resamples": 2},
    "philox": {"block": 0, "resample": 1, "attempt": 0, "stream": 0, "seed": 7},
    "resampled_spearman": {
        "first": ints(0, 1, 2),
        "second": ints(2, 1, 0),
        "segment": ints(0, 1, 1),
        "segments": 2,
        "seed": 1,
        "resamples": 3,
        "jobs": 1,
    },
    "count_sign_flips": {"differences": np.array([1.0, -2.0, 0.5])},
    "match": {
        "first": ints(0, 1, 2),
        "first_offsets": longs(0, 2, 3),
        "second": ints(1, 0, 2),
        "second_offsets": longs(0, 2, 3),
        "links": links((0, 1)),
        "link_offsets": longs(0, 1, 1),
        "key_offsets": longs(0, 1, 2, 3),
        "keys": ints(0, 1, 2),
        "crossings": False,
        "bound": 1000,
        "trials": 16,
        "jobs": 1,
    },
    "match_cells": {
        **LINKED_TEXTS,
        "cells": links((0, 0), (1, 0), (0, 0)),
        "cell_offsets": longs(0, 2, 3),
        "crossings": False,
        "bound": 1000,
        "trials": 16,
        "jobs": 1,
    },
    "similar_cells": {
        **LINKED_TEXTS,
        "letters": ints(97, 98, 97, 98, 98, 97),
        "letter_offsets": longs(0, 2, 5, 6),
        "heads": ints(0, 0, -1),
        "threshold": 0.5,
        "least": 2,
        "jobs": 2,
    },
    "learned_cells": {
        **LINKED_TEXTS,
        "words": 3,
        "iterations": 2,
        "neighbour": 5.0,
        "distance": 5.0,
        "alone": 0.1,
        "threshold": 0.2,
        "evidence": 1.0,
        "jobs": 2,
    },
    "em_decode": {
        **BITEXT,
        "offsets": longs(0, 2, 4, 5),
        "targets": ints(0, 1, 0, 1, 0),
        "probabilities": np.array([0.5, 0.5, 0.9, 0.1, 1.0]),
        "jumps": np.array([0.25, 0.5, 0.25]),
        "null": 0.2,
        "uniform": 0.1,
        "decoding": _core.Decoding.PATH,
        "jobs": 1,
    },
    "symmetrize": {
        "forward": links((0, 0), (1, 1)),
        "forward_offsets": longs(0, 2),
        "reverse": links((0, 0), (1, 0)),
        "reverse_offsets": longs(0, 2),
        "rule": _core.Symmetrization.GROW_DIAG,
    },
    "edit_distances": {**TWO_TREES, **PAIRS, **SEGMENT_LINKS, "jobs": 1},
    "long_edit_distances": {**TWO_TREES, **PAIRS, **SEGMENT_LINKS, "jobs": 1},
    "flat_edit_distances": {
        "first_lengths": longs(3, 2),
        "second_lengths": longs(2, 3),
        **SEGMENT_LINKS,
        "jobs": 1,
    },
    "mapping_fits": {"first_heads": ints(1, -1), "second_heads": ints(-1, 0, 1)},
    "edit_mapping": {
        "first_heads": ints(1, -1),
        "second_heads": ints(-1, 0, 1),
        "links": links((0, 0), (1, 2)),
        "model": _core.EditModel.LINKED,
    },
    "path_disparities": {
        **TWO_TREES,
        "first_labels": ints(1, 2, 3, 1, 2),
        "second_labels": ints(1, 2, 3, 1, 2),
        **PAIRS,
        **SEGMENT_LINKS,
        "labelled": True,
        "jobs": 1,
    },
    "reference_disparities": {
        **TREES,
        "trees": longs(0, 1),
        "segments": longs(0, 1),
        "lengths": longs(2, 1),
        **SEGMENT_LINKS,
        "jobs": 1,
    },
    "flat_path_disparities": {**SEGMENT_LINKS, "jobs": 1},
    "path_edges": {
        "first_heads": ints(1, -1),
        "first_labels": ints(0, 1),
        "second_heads": ints(-1, 0),
        "second_labels": ints(0, 1),
        "links": links((0, 0), (1, 1)),
        "kind": _core.PathKind.LABELS,
    },
    "row_products": {
        "left": np.ones((2, 17), dtype=np.float32),
        "right": np.ones((5, 17), dtype=np.float32),
    },
    "integer_products": {
        "rows": np.arange(192, dtype=np.uint8).reshape(3, 64),
        "weights": linear_arguments(64, 5)["weights"],
        "way": 0,
    },
    "product_ways": {},
    "meanings": {
        "vectors": np.ones((3, 5), dtype=np.float32),
        "offsets": longs(0, 2, 3),
        "firsts": longs(0, 1),
        "seconds": longs(1, 1),
        "context": 0.3,
        "position": 0.05,
        "temperature": 0.06,
        "floor": 0.6,
        "jobs": 2,
    },
    "recurrent_layer": {"sums": np.ones((3, 12), dtype=np.float32), "offsets": longs(0, 2, 3)},
    "recurrent_gradient": {
        "gates": np.ones((3, 12), dtype=np.float32),
        "states": np.ones((3, 4), dtype=np.float32),
        "slopes": np.ones((3, 4), dtype=np.float32),
        "offsets": longs(0, 2, 3),
    },
    "row_sums": {
        "rows": np.ones((3, 2), dtype=np.float32),
        "places": longs(0, 3, 0),
        "count": 4,
    },
    "spanning_trees": {"scores": np.arange(8.0), "lengths": longs(1, 2)},
    "perceptron_tags": {"weights": weights(2), **PARTS},
    "perceptron_trees": {
        "moves": weights(3),
        "labels": weights(2),
        **PARTS,
        "tags": ints(0, 1, 0),
    },
    "perceptron_beam_trees": {
        "moves": weights(3),
        "labels": weights(2),
        **PARTS,
        "tags": ints(0, 1, 0),
        "width": 3,
        "alternatives": 2,
        "most": 2,
    },
    "reordering_counts": {
        "groups": ints(1, 0, 0),
        "offsets": longs(0, 2, 3),
        "local": False,
        "ends": True,
        "jobs": 1,
    },
    "reordering_words": {
        "groups": ints(1, 0, 0),
        "offsets": longs(0, 2, 3),
        "local": False,
        "jobs": 1,
    },
    "tree_orders": {
        **TREES,
        "child_slots": ints(0, 1, 0, 1, 0),
        "backward": np.array([0, 1, 0, 0, 1], dtype=np.uint8),
        "head_slots": ints(0, 0, 0, 0, 0),
        "jobs": 1,
    },
}

CLASSES: dict[str, tuple[Arguments, dict[str, Arguments]]] = {
    "Interner": (
        {},
        {
            "number": {"word": "a"},
            "lines": {"lines": ["a b", "c"], "tokenized": True},
            "words": {"first": 0},
        },
    ),
    "PermutationReader": (
        {"pairs": False, "zero_based": False},
        {"feed": {"data": b"2 1\n1\n"}, "finish": {}, "problems": {}, "take": {}},
    ),
    "EmTrainer": (
        EM,
        {
            "model1": {},
            "hmm": {"null": 0.2, "uniform": 0.1, "agree": True},
            "table": {"direction": 0},
            "jumps": {"direction": 1},
        },
    ),
    "AdamLearner": (
        {"weights": np.ones(3, dtype=np.float32)},
        {
            "step": {
                "gradient": np.ones(3, dtype=np.float32),
                "share": 0.5,
                "rate": 0.01,
                "decay": 0.1,
            }
        },
    ),
    "TaggerTrainer": (
        {"bits": 4, "classes": 3},
        {"learn": {**PARTS, "tags": ints(0, 2, 1)}, "means": {}},
    ),
    "ParserTrainer": (
        {"move_bits": 4, "label_bits": 4, "labels": 3},
        {
            "learn": {
                **PARTS,
                "tags": ints(0, 2, 1),
                "heads": ints(-1, 0, -1),
                "names": ints(0, 1, 2),
                "explore": True,
            },
            "learn_beam": {
                **PARTS,
                "tags": ints(0, 2, 1),
                "heads": ints(-1, 0, -1),
                "names": ints(0, 1, 2),
                "width": 3,
            },
            "means": {},
        },
    ),
    "Linear": (
        linear_arguments(64, 5),
        {
            "rounded": {"numbers": np.ones((2, 3), dtype=np.float32)},
            "numbers": {"rows": np.ones((3, 64), dtype=np.uint8), "gelu": True},
            "gelu_bytes": {
                "rows": np.ones((3, 64), dtype=np.uint8),
                "inverse": 20.0,
                "zero": 100.0,
            },
        },
    ),
    "TransformerLayer": (layer_arguments(64, 128), {}),
    "Transformer": (
        {
            "pieces": np.arange(7 * 64, dtype=np.int64).astype(np.int8).reshape(7, 64),
            "piece_units": np.full(7, 0.01, dtype=np.float32),
            "places": np.ones((6, 64), dtype=np.float32),
            "shapes": np.ones((2, 64), dtype=np.float32),
            "weight": np.ones(64, dtype=np.float32),
            "bias": np.zeros(64, dtype=np.float32),
            "layers": [_core.TransformerLayer(**layer_arguments(64, 128))],
        },
        {
            "encode": {
                "pieces": longs(0, 3, 6, 1, 5, 2).reshape(2, 3),
                "shapes": longs(0, 1, 0, 1, 1, 0).reshape(2, 3),
                "shares": np.ones(2, dtype=np.float32),
                "level": 1,
            },
        },
    ),
    "ParserNetwork": (
        network_arguments(),
        {"encode": {**NETWORK_TEXT, "depth": 1}, "parse": NETWORK_TEXT},
    ),
}


@dataclass(frozen=True)
class Call:
    """A call with one thing wrong; `wrong` says what, `error` what must come of it.

    Without `error` the call may be refused, or answered as any good one.
    """

    name: str
    function: Callable[..., Any]
    arguments: Arguments
    wrong: str
    error: type[Exception] | None

    def __str__(self) -> str:
        return f"{self.name}-{self.wrong}"


def public() -> dict[str, Any]:
    """Return what the core holds: functions and classes by name."""
    return {
        name: value
        for name, value in (vars(_core) | vars(_core.testing)).items()
        if not name.startswith("_") and callable(value) and not isinstance(value, EnumType)
    }


def methods(kind: type) -> dict[str, Any]:
    """Return the public methods of a class of the core by name."""
    return {
        name: value
        for name, value in vars(kind).items()
        if not name.startswith("_") and callable(value)
    }


def good_calls() -> Iterator[Call]:
    """Yield one good call of everything."""
    for name, arguments in FUNCTIONS.items():
        yield Call(name, public()[name], arguments, "nothing", None)
    for name, (construction, called) in CLASSES.items():
        kind = getattr(_core, name)
        yield Call(name, kind, construction, "nothing", None)
        for method, arguments in called.items():
            yield Call(
                f"{name}.{method}", _bound(kind, construction, method), arguments, "nothing", None
            )


def _bound(kind: Any, construction: Arguments, method: str) -> Callable[..., Any]:
    def call(*positional: Any, **arguments: Any) -> Any:
        return getattr(kind(**construction), method)(*positional, **arguments)

    return call


def hostile_calls() -> Iterator[Call]:
    """Yield every good call with one argument wrong, missing, or too many."""
    for good in good_calls():
        yield Call(good.name, good.function, {**good.arguments, "surplus": 1}, "surplus", TypeError)
        for argument, value in good.arguments.items():
            rest = {key: kept for key, kept in good.arguments.items() if key != argument}
            yield Call(good.name, good.function, rest, f"without {argument}", TypeError)
            for wrong, replaced, error in _wrong(value, good.name, argument):
                changed = {**good.arguments, argument: replaced}
                yield Call(good.name, good.function, changed, f"{argument} {wrong}", error)


Wrong = tuple[str, Any, type[Exception] | None]


def _wrong(value: Any, name: str, argument: str) -> Iterator[Wrong]:
    if not (argument == "second_lengths" and name == "link_outside"):
        yield "None", None, TypeError
    yield "an object", types.SimpleNamespace(), TypeError
    if isinstance(value, np.ndarray):
        yield from _wrong_array(value, name, argument)
    elif isinstance(value, list):
        yield from _wrong_list(value, name, argument)
    else:
        for other in _OTHER_TYPES.get(type(value), (5, "a", np.ones(1))):
            yield f"{other!r}", other, TypeError
        for other in _OTHER_VALUES.get(type(value), ()):
            yield f"{other!r}", other, None
        for other in (np.nan, np.inf, -np.inf) if isinstance(value, float) else ():
            yield f"{other!r}", other, ValueError


_OTHER_TYPES: dict[type, tuple[Any, ...]] = {
    bool: (1, "yes", np.ones(1)),
    int: (1.5, "1", np.float64(1.0), np.ones(2), 2**64, -(2**63) - 1),
    float: ("0.5", [0.5], 1j),
    bytes: ("2 1", bytearray(b"2 1"), [1]),
    str: (b"a", 5),
}
_OTHER_VALUES: dict[type, tuple[Any, ...]] = {
    bool: (),
    int: (-1, -(2**31), 2**31 - 1, 2**31, 2**63 - 1),
    float: (-1.0, 2.0, 1e308, 1),
    bytes: (bytes(range(256)) * 3, b""),
    str: ("\ud800", "a\0b", ""),
}


def _wrong_list(value: list[Any], name: str, argument: str) -> Iterator[Wrong]:
    yield "a number", 5, TypeError
    yield "None inside", [*value[:-1], None], TypeError
    yield "a number inside", [*value[:-1], 5.5], TypeError
    yield "empty", [], None
    yield "too long", [*value, *value], None
    if isinstance(value[0], np.ndarray):
        for wrong, array, error in _wrong_array(value[0], name, argument):
            yield f"inside {wrong}", [array, *value[1:]], error
    if value and isinstance(value[0], int):
        for number in (-1, 2**31, 2**62):
            yield f"{number} inside", [number, *value[1:]], ValueError


# Any number of these is as good as any other, and nothing is looked up by it.
ANY_VALUE = {
    ("path_disparities", "first_labels"),
    ("path_disparities", "second_labels"),
    ("path_edges", "first_labels"),
    ("path_edges", "second_labels"),
    ("tree_orders", "child_slots"),
    ("tree_orders", "head_slots"),
    ("tree_orders", "backward"),
    ("Linear", "shift"),
    # A product of anything is what it is, and so is a sum.
    ("row_products", "left"),
    ("row_products", "right"),
    # So are a layer of it and its slopes; whoever learns looks at the loss.
    ("recurrent_layer", "sums"),
    ("recurrent_gradient", "gates"),
    ("recurrent_gradient", "states"),
    ("recurrent_gradient", "slopes"),
    ("row_sums", "rows"),
    ("AdamLearner", "weights"),
    ("AdamLearner.step", "gradient"),
    # These look for what is wrong and say where it is.
    ("find_fault", "values"),
    ("link_outside", "links"),
    ("link_outside", "first_lengths"),
    ("link_outside", "second_lengths"),
    # What is printed may be anything, also with gaps: it is the column of a table.
    ("format_rows", "columns"),
}


def _wrong_array(value: np.ndarray, name: str, argument: str) -> Iterator[Wrong]:
    other = {"float64": "float32", "int64": "int32"}.get(value.dtype.name, "int64")
    yield "of another width", value.astype(other), TypeError
    if value.dtype != np.float64:
        yield "of floats", value.astype(np.float64), TypeError
    yield "of objects", value.astype(object), TypeError
    yield "of texts", value.astype(str), TypeError
    yield (
        "of swapped bytes",
        value.astype(value.dtype.newbyteorder()),
        (TypeError if value.dtype.itemsize > 1 else None),
    )
    yield "a list", value.tolist(), TypeError
    yield "one axis more", value[None], TypeError
    yield "one axis less", value.reshape(-1)[0], TypeError
    gaps = None if name == "format_rows" else TypeError
    yield "with gaps", np.repeat(value, 2, axis=-1)[..., ::2], gaps
    yield "backwards", value[::-1], gaps if len(value) > 1 else None
    yield "of a subclass", value.view(np.recarray), None
    yield "empty", value[:0].copy(), None
    yield "too short", value[:-1].copy(), None
    yield "too long", np.concatenate([value, value[-1:]]), None
    yield "thrice as long", np.concatenate([value] * 3), None
    for place in (0, value.size // 2, value.size - 1):
        yield from _wrong_number(value, place, (name, argument) in ANY_VALUE)


def _wrong_number(value: np.ndarray, place: int, anything: bool) -> Iterator[Wrong]:  # noqa: FBT001
    if value.dtype == np.float64:
        numbers: tuple[float, ...] = (np.nan,)
        rest: tuple[float, ...] = (np.inf, -np.inf, -1.0, 2.0, 1e308, -1e308, 1e-320)
    elif value.dtype == np.float32:  # vectors may hold anything: a product of it is what it is
        numbers, rest = (), (np.nan, np.inf, -np.inf, -1.0, 3e38, 1e-45)
    elif value.dtype in (np.int8, np.uint8, np.uint32, np.uint64):
        limits = np.iinfo(value.dtype)
        numbers, rest = (), (limits.min, limits.max)
    else:
        limits = np.iinfo(value.dtype)
        # -2 and below is no head, no word, no position, no offset.
        numbers = (-2, limits.min)
        rest = (-1, value.size, value.size + 1, 1000, limits.max // 2, limits.max)
    for number in (*numbers, *rest):
        changed = value.copy()
        changed.reshape(-1)[place] = number
        strict = number in numbers or number != number  # noqa: PLR0124 - NaN
        yield f"{number} at {place}", changed, ValueError if strict and not anything else None
