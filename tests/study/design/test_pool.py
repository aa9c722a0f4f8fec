"""Texts of a study."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.preordering.perturbations.word_dependency_tree import TagColumn
from kilter.study.design.creation import create, draw_study
from kilter.study.design.pool import Pool, read_corpus
from kilter.study.design.study_file import StudyFileError, read_study
from tests.study.generated import edited, write_study


def test_texts_of_different_lengths_are_refused(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    (folder / "sys0.en").write_text("One line.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sys0.en: has 1 line, but .*reference.en has 40"):
        create(folder)


def test_penn_tags_may_say_which_words_are_of_one_kind(tmp_path: Path) -> None:
    """With the universal tags any two nouns may be exchanged; here no two have the same own tag."""
    folder = write_study(tmp_path, lines=8, systems=1)
    for name in ("reference", "sys0"):
        file = folder / f"{name}.conllu"
        lines = file.read_text(encoding="utf-8").split("\n")
        tagged = ["\t".join([*c[:4], f"{c[3]}{c[0]}", *c[5:]]) if len(c := line.split("\t")) > 4 else line
                  for line in lines]  # fmt: skip
        file.write_text("\n".join(tagged), encoding="utf-8")
    study = read_study(folder)
    (files,) = study.corpora
    swapped = {}
    for tags in TagColumn:
        pool = Pool.of(study, [read_corpus(files, tags=tags)])
        swapped[tags] = [pool.permutation(each, "swap", 2).text for each in pool.sentences]
    assert all(text is not None for text in swapped[TagColumn.UPOS])
    assert all(text is None for text in swapped[TagColumn.XPOS])
    row = '[[composition]]\nitems = 1\nkind = "permutation"\ntype = "swap"\n'
    with (folder / "study.toml").open("a", encoding="utf-8") as described:
        described.write(row)
    assert not draw_study(folder).design.unmet
    edited(folder, ("sentences = 450", 'sentences = 450\ntags = "xpos"'))
    assert draw_study(folder).design.unmet


def test_trees_without_penn_tags_are_refused_where_these_are_asked_for(tmp_path: Path) -> None:
    folder = edited(
        write_study(tmp_path, lines=8), ("sentences = 450", 'sentences = 450\ntags = "xpos"')
    )
    with pytest.raises(StudyFileError, match=r"reference.conllu: has no tags in its fifth column"):
        draw_study(folder)


def test_translations_that_begin_small_can_be_told_from_permutations(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    assert not any("small letter" in note for note in draw_study(folder).design.notes)
    for name in ("sys0.en", "sys0.conllu"):
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.lower(), encoding="utf-8")
    (note,) = [note for note in draw_study(folder).design.notes if "small letter" in note]
    assert note.startswith("40 of 80 translations in the pool begin with a small letter")
