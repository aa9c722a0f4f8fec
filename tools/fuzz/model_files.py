"""Models of parsers whose arrays are changed, with the checksum that belongs to them: whoever writes one may err."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.parsers.model_file import ARRAYS, NETWORK, model_bytes
from kilter.parsers.network import network_trees
from kilter.parsers.network_file import load_network
from kilter.parsers.perceptron_tables import load_model, word_parts
from tests.parsers.small_network import small_network
from tools.fuzz.bindings import changed
from tools.fuzz.given import Given
from tools.fuzz.refusal import folder_with, refusing

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS = ("a", "dog", "", "Sleeps-2", "\udc80")


def parsers(data: bytes) -> None:
    """Models of parsers: networks that are loaded parse, whatever their weights, and have one root."""
    given = Given(data)
    form = given.choice([NETWORK, NETWORK, *ARRAYS])
    arrays = dict(_network() if form == NETWORK else _perceptron(form))
    for _ in range(given.number(0, 3)):
        name = given.choice(sorted(arrays))
        arrays[name] = np.asarray(changed(arrays[name], name, given))
    if any(array.dtype == object for array in arrays.values()):
        return  # such a file cannot be written
    card: dict[str, Any] = given.choice(
        [{}, {"settings": 5}, {"settings": {"lowercase": True}}, {"checksum": None}]
    )
    with folder_with(model_bytes(form, arrays, card), "m.model") as folder:
        path = str(folder / "m.model")
        with refusing():
            load_model(path)
        with refusing():
            network = load_network(path)
            parts = word_parts(WORDS, lowercase=network.lowercase)
            _, heads, _ = network_trees(network, parts, np.array([0, 1, 1, len(WORDS)]))
            for own in (heads[:1], heads[1:]):
                assert (own == -1).sum() == 1
                assert own.max(initial=-1) < len(own)


@cache
def _network() -> dict[str, NDArray[Any]]:
    network = small_network()
    return {name: np.asarray(getattr(network, name)) for name in ARRAYS[NETWORK]}


def _perceptron(form: str) -> dict[str, NDArray[Any]]:
    """Return tables of two voters over 16 rows, two tags and three labels."""
    made = {
        "tagger": np.ones((16, 2), np.int8),
        "moves": np.ones((2, 16, 3), np.int8),
        "labels": np.ones((2, 16, 3), np.int8),
        "backwards": np.array([False, True]),
        "tag_names": np.array([("NOUN", "N"), ("VERB", "V")]),
        "label_names": np.array(["nsubj", "obj", "root"]),
        "forms": np.array([3, 8], np.uint32),
        "form_tags": np.array([1, 2], np.uint32),
    }
    return {name: made[name] for name in ARRAYS[form]}
