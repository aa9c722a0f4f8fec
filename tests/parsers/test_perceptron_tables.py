"""The files of learned parsers: read back, refused when damaged."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.parsers.perceptron_tables import (
    KnownWords,
    Tables,
    known_parts,
    load_model,
    load_tables,
    word_parts,
)


def small() -> Tables:
    return Tables(
        tagger=np.ones((4, 2), dtype=np.int8),
        moves=np.ones((1, 4, 3), dtype=np.int8),
        labels=np.ones((1, 4, 2), dtype=np.int8),
        backwards=np.array([False]),
        tag_names=[("NOUN", "N"), ("VERB", "V")],
        label_names=["nsubj", "root"],
        card={"language": "xx", "settings": {"lowercase": True}},
    )


def saved(folder: Path, content: bytes) -> str:
    path = folder / "a.model"
    path.write_bytes(content)
    return str(path)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    found = load_model(saved(tmp_path, small().to_bytes()))
    assert found.tag_names == small().tag_names
    assert found.label_names == small().label_names
    assert found.moves.tolist() == small().moves.tolist()
    assert found.card["language"] == "xx"
    assert found.lowercase
    assert not load_tables().lowercase


def test_a_model_that_was_learned_again_is_read_again(tmp_path: Path) -> None:
    assert load_model(saved(tmp_path, small().to_bytes())).card["language"] == "xx"
    other = replace(small(), card={"language": "other"})
    assert load_model(saved(tmp_path, other.to_bytes())).card["language"] == "other"


def test_weights_that_were_changed_after_reading_can_be_written(tmp_path: Path) -> None:
    found = load_model(saved(tmp_path, small().to_bytes()))
    other = replace(found, moves=found.moves + np.int8(1))
    assert load_model(saved(tmp_path, other.to_bytes())).moves.tolist() == other.moves.tolist()


def test_equal_weights_are_equal_files() -> None:
    assert small().to_bytes() == small().to_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"label_names": ["root"]},
        {"label_names": [1.5, 2.5]},
        {"tag_names": [(1, 2), (3, 4)]},
        {"tagger": np.ones((0, 2), dtype=np.int8)},
        {"tagger": np.ones((3, 2), dtype=np.int8)},
        {"moves": np.ones((1, 5, 3), dtype=np.int8)},
    ],
)
def test_tables_that_do_not_fit_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    odd = replace(small(), **change)
    with pytest.raises(InputError, match="do not fit together"):
        load_model(saved(tmp_path, odd.to_bytes()))


def test_tables_may_be_written_column_by_column(tmp_path: Path) -> None:
    turned = replace(small(), tagger=np.asfortranarray(np.arange(8, dtype=np.int8).reshape(4, 2)))
    found = load_model(saved(tmp_path, turned.to_bytes()))
    assert found.tagger.flags.c_contiguous
    assert found.tagger.tolist() == turned.tagger.tolist()


def with_words(forms: list[int], tags: list[int]) -> Tables:
    return replace(small(), known=KnownWords(np.array(forms, np.uint32), np.array(tags, np.uint32)))


def test_words_that_a_model_knows_are_read_back_and_are_a_format_of_their_own(
    tmp_path: Path,
) -> None:
    found = load_model(saved(tmp_path, with_words([3, 8], [5, 7]).to_bytes()))
    assert found.card["format"] == "kilter-parser/2"
    assert found.known is not None
    assert found.known.tags_of(np.array([8, 4, 3, 9], np.uint32)).tolist() == [7, 0, 5, 0]
    assert load_model(saved(tmp_path, small().to_bytes())).known is None


def test_words_that_do_not_fit_their_tags_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="do not fit together"):
        load_model(saved(tmp_path, with_words([3, 8], [5]).to_bytes()))


@pytest.mark.parametrize("settings", [None, [1], {"beam": "8"}, {"beam": -1}, {"beam": 10**9}])
def test_a_card_with_odd_settings_is_that_of_a_greedy_model(
    tmp_path: Path, settings: object
) -> None:
    found = load_model(saved(tmp_path, replace(small(), card={"settings": settings}).to_bytes()))
    assert (found.beam, found.lowercase) == (1, False)


def test_six_parts_are_the_first_of_ten_and_tags_the_last() -> None:
    parts = word_parts(["Tree", "tree"])
    assert (known_parts(parts, None) == parts[:, :6]).all()
    known = KnownWords(parts[:1, 0], np.array([77], np.uint32))
    assert known_parts(parts, known)[:, -1].tolist() == [77, 77]
    nobody = KnownWords(parts[:0, 0], parts[:0, 0])
    assert known_parts(parts, nobody)[:, -1].tolist() == [0, 0]


def test_parts_of_words_without_capitals_are_those_of_small_letters() -> None:
    assert (word_parts(["Tree"], lowercase=True) == word_parts(["tree"])).all()
    assert (word_parts(["Tree"]) != word_parts(["tree"])).any()
