"""The files of learned networks: read back, told from perceptrons, refused when they do not fit."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.parsers.network_file import ParserNetwork, is_network, load_network, piece_rows
from kilter.parsers.perceptron_tables import load_model
from tests.parsers.small_network import small_network
from tests.parsers.test_model_file import changed
from tests.parsers.test_perceptron_tables import saved, small


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    given = small_network()
    found = load_network(saved(tmp_path, given.to_bytes()))
    for each in fields(ParserNetwork)[:-1]:
        assert np.array_equal(getattr(found, each.name), getattr(given, each.name)), each.name
    assert found.card["language"] == "xx"
    assert found.lowercase
    assert found.to_bytes() == given.to_bytes()


def test_a_file_says_which_kind_it_is(tmp_path: Path) -> None:
    path = saved(tmp_path, small_network().to_bytes())
    assert is_network(path)
    with pytest.raises(InputError, match="holds a network, where perceptrons are needed"):
        load_model(path)
    path = saved(tmp_path, small().to_bytes())
    assert not is_network(path)
    with pytest.raises(InputError, match="holds perceptrons, where a network is needed"):
        load_network(path)


def test_a_damaged_network_is_named(tmp_path: Path) -> None:
    def damage(files: dict[str, bytes]) -> None:
        files["heads.npy"] = files["heads.npy"][:-1] + bytes([files["heads.npy"][-1] ^ 1])

    path = saved(tmp_path, changed(small_network().to_bytes(), damage))
    with pytest.raises(InputError, match="checksum is another one") as raised:
        load_network(path)
    assert path in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("heads", np.full((64, 66), 65, np.int8)),
        ("heads", np.zeros((64, 65), np.int8)),
        ("arcs", np.full((16, 16), np.nan, np.float32)),
        ("arcs", np.full((16, 16), 1e5, np.float32)),
        ("arcs", np.zeros((16, 16), np.float64)),
        ("forms", np.array([3, 3, 9], np.uint32)),
        ("pieces", np.zeros((33, 3), np.float16)),
        ("distance", np.zeros(4, np.float32)),
        ("layers", np.zeros((0, 64, 192), np.int8)),
        ("label_names", ["root"]),
        ("tag_names", [("NOUN", "N")]),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, name: str, value: Any) -> None:
    odd = replace(small_network(), **{name: value})
    with pytest.raises(InputError, match="do not fit together"):
        load_network(saved(tmp_path, odd.to_bytes()))


def test_the_largest_numbers_fit(tmp_path: Path) -> None:
    arcs = np.full((16, 16), 1e4, np.float32)
    heads = np.full((64, 66), -64, np.int8)
    large = replace(small_network(), arcs=arcs, heads=heads)
    assert load_network(saved(tmp_path, large.to_bytes())).arcs.max() == 1e4


@pytest.mark.parametrize(
    "card", [{}, {"settings": 5}, {"settings": {}}, {"settings": {"lowercase": 1}}]
)
def test_capitals_count_unless_the_card_says_that_they_do_not(card: dict[str, Any]) -> None:
    assert replace(small_network(), card=card).lowercase is False


def test_widths_that_the_kernels_do_not_take_are_refused(tmp_path: Path) -> None:
    given = small_network()
    narrow = replace(
        given,
        heads=given.heads[:, 2:].copy(),
        head_scales=given.head_scales[2:],
        head_bias=given.head_bias[2:],
        arcs=given.arcs[1:, 1:].copy(),
        arc_bias=given.arc_bias[1:],
        root_arc=given.root_arc[1:],
    )
    wide = replace(
        given,
        labels=np.zeros((16, 5000), np.float32),
        label_bias=np.zeros(5000, np.float32),
        label_names=[str(number) for number in range(5000)],
    )
    for odd in (narrow, wide):
        with pytest.raises(InputError, match="do not fit together"):
            load_network(saved(tmp_path, odd.to_bytes()))


def test_rows_of_a_word_are_those_of_its_form_and_of_nine_parts() -> None:
    parts = np.array([[8, 1, 2, 3, 4, 5, 6, 7, 8, 0], [9] * 10], np.uint32)
    found = small_network().rows(parts)
    assert found.words.tolist() == [2, 0]
    assert found.pieces.shape == (2, 9)
    # The same part is another piece in another column.
    assert len({*found.pieces[1].tolist()}) > 4
    plain = [(9 + k * 0x9E3779B9) % 2**32 * 0x85EBCA6B % 2**32 >> 27 for k in range(9)]
    assert piece_rows(parts, 32)[1].tolist() == plain
