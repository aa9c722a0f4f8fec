"""What the perceptron learns from a treebank."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kilter.io.conllu import read_conllu
from kilter.io.stream import ByteSource
from kilter.parsers.perceptron_tables import Tables
from kilter.parsers.perceptron_training import (
    MOST_TAGS,
    Lessons,
    TrainingSettings,
    counted_accuracy,
    known_words,
    learned_pairs,
    learned_tables,
    parser_accuracy,
    parts_of_new_words,
)
from tests.parsers.small_treebank import sentences

FEW = TrainingSettings(passes=2, voters=2)


def lessons(folder: Path, count: int, seed: int, *, lowercase: bool = False) -> Lessons:
    path = folder / f"{count}-{seed}.conllu"
    path.write_text(sentences(count, seed), encoding="utf-8")
    return Lessons.of(read_conllu(ByteSource(str(path))), lowercase=lowercase)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("treebank")


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    return learned_tables(lessons(folder, 60, 1), FEW)


def test_a_simple_language_is_learned_from_sixty_trees(tables: Tables, folder: Path) -> None:
    found = parser_accuracy(tables, lessons(folder, 40, 2))
    assert found.sentences == 40
    assert found.las > 0.97
    assert (found.upos or 0) > 0.97
    assert found.las <= found.uas


def test_accuracy_counts_words_whose_head_label_and_tags_are_right(
    tables: Tables, folder: Path
) -> None:
    held = lessons(folder, 40, 2)
    right = parser_accuracy(tables, held)
    labels = [f"not-{label}" for label in held.labels]
    assert parser_accuracy(tables, replace(held, labels=labels)).las == 0
    tags = [(universal, "other") for universal, _ in held.tags]
    found = parser_accuracy(tables, replace(held, tags=tags))
    assert (found.upos, found.xpos) == (right.upos, 0)
    # The label at the root is always that of roots, whatever was learned for its arc.
    every = counted_accuracy(
        held,
        tables.tag_names,
        ["root"],
        np.zeros(len(held.heads), np.int32),
        held.heads,
        np.zeros(len(held.heads), np.int32),
    )
    assert every.las == pytest.approx(np.mean([label == "root" for label in held.labels]))
    assert every.uas == 1.0
    bare = parser_accuracy(tables, replace(held, tags=[("_", "_")] * len(held.tags)))
    assert (bare.upos, bare.xpos) == (None, None)
    heads = np.full_like(held.heads, -1)
    roots = (held.heads == -1).mean()
    assert parser_accuracy(tables, replace(held, heads=heads)).uas == pytest.approx(roots)


def test_weights_are_the_same_for_every_number_of_jobs_and_others_for_another_seed(
    tables: Tables, folder: Path
) -> None:
    again = learned_tables(lessons(folder, 60, 1), FEW, jobs=3)
    other = learned_tables(lessons(folder, 60, 1), TrainingSettings(passes=2, voters=2, seed=9))
    assert again.to_bytes() == tables.to_bytes()
    assert other.to_bytes() != tables.to_bytes()


def test_progress_ends_with_all_steps(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    settings = TrainingSettings(passes=1, voters=1)
    learned_tables(lessons(folder, 20, 3), settings, progress=lambda *step: seen.append(step))
    assert seen == [(k + 1, settings.steps) for k in range(settings.steps)]


def test_each_second_voter_reads_from_right_to_left(tables: Tables) -> None:
    assert tables.backwards.tolist() == [False, True]
    assert len(tables.moves) == len(tables.labels) == 2


def test_capitals_play_no_part_where_nobody_wants_them(folder: Path) -> None:
    plain, lowered = (lessons(folder, 30, 4, lowercase=lowercase) for lowercase in (False, True))
    shape = 5
    others = [place for place in range(plain.parts.shape[1]) if place != shape]
    assert (plain.parts[:, others] == lowered.parts[:, others]).all()
    assert len(np.unique(lowered.parts[:, shape])) < len(np.unique(plain.parts[:, shape]))


def test_pairs_of_tags_are_bounded_and_each_universal_tag_stays() -> None:
    many = [("NOUN", f"N{k}") for k in range(1000) for _ in range(5)] + [("X", "rare")]
    found = learned_pairs(many)
    assert len(found) <= MOST_TAGS + 2
    assert ("X", "rare") in found


def test_no_word_has_a_say_in_what_is_known_of_it(folder: Path) -> None:
    whole = lessons(folder, 10, 8)
    parts, tags = whole.parts.copy(), np.zeros(len(whole.heads), dtype=np.int32)
    parts[:, 0] = 1
    first, second = slice(*whole.offsets[[0, 1]]), slice(*whole.offsets[[5, 6]])
    parts[first, 0] = parts[second, 0] = 2
    # Both sentences with the second word are of one fold, which knows the first word alone.
    found = parts_of_new_words(replace(whole, parts=parts), tags)
    assert {*found[first, -1].tolist(), *found[second, -1].tolist()} == {0}
    others = np.flatnonzero(parts[:, 0] == 1)
    assert (found[others, -1] == known_words(parts[:, 0], tags).form_tags[0]).all()


def test_some_sentences_are_a_treebank_of_their_own(folder: Path) -> None:
    whole = lessons(folder, 10, 6)
    part = whole.part(np.array([7, 2]))
    rows = [*range(*whole.offsets[[7, 8]]), *range(*whole.offsets[[2, 3]])]
    assert len(part) == 2
    assert part.heads.tolist() == whole.heads[rows].tolist()
    assert part.labels == [whole.labels[row] for row in rows]
    assert part.tags == [whole.tags[row] for row in rows]
