"""Labels and tags that do not fit one another are told, and those that do are not."""

import pytest

import kilter
from kilter.core.dependency_tree import DependencyTree
from tests.docs.pages import ROOT

WORDS = ["the", "old", "dog", "saw", "a", "small", "cat", "in", "the", "garden"]
HEADS = [2, 2, 3, -1, 6, 6, 3, 9, 9, 3]
LABELS = ["det", "amod", "nsubj", "root", "det", "amod", "obj", "case", "det", "obl"]
TAGS = ["DET", "ADJ", "NOUN", "VERB", "DET", "ADJ", "NOUN", "ADP", "DET", "NOUN"]
PENN = ["DT", "JJ", "NN", "VBD", "DT", "JJ", "NN", "IN", "DT", "NN"]


def notes(labels: list[str], tags: list[str], *, metric: str = "dted") -> list[str]:
    line = " ".join(WORDS)
    trees = kilter.Trees(
        systems=[[DependencyTree(WORDS, HEADS, labels=labels, tags=tags)]],
        references=[[DependencyTree(WORDS, HEADS, labels=LABELS, tags=TAGS)]],
    )
    return [
        note
        for note in kilter.score([line], [line], metrics=metric, trees=trees).notes
        if "labels" in note or "tags" in note
    ]


def test_trees_of_one_set_of_labels_say_nothing() -> None:
    assert notes(LABELS, TAGS) == []
    assert notes(["det", *LABELS[:-1]], TAGS) == []


def test_labels_that_one_side_alone_has_are_listed() -> None:
    renamed = [{"nsubj": "SBJ", "det": "NMOD", "obj": "OBJ"}.get(each, each) for each in LABELS]
    (told,) = notes(renamed, TAGS)
    assert told == (
        "system: the labels of its trees are not those of references: system alone has NMOD, SBJ, OBJ; "
        "references alone has det, nsubj, obj; take trees of one tag set on both sides"
    )
    (told,) = notes(LABELS, PENN)
    assert told.startswith(
        "system: the tags of its trees are not those of references: system alone has DT, NN,"
    )


@pytest.mark.parametrize("kind", ["labels", "tags"])
def test_trees_without_any_label_or_tag_say_so(kind: str) -> None:
    nothing = ["_"] * len(WORDS)
    given = (nothing, TAGS) if kind == "labels" else (LABELS, nothing)
    assert notes(*given) == [
        f"system: all {kind} of its trees are _, so that they tell nothing apart"
    ]


def test_trees_that_no_metric_looks_at_say_nothing() -> None:
    assert notes(LABELS, PENN, metric="bleu") == []


def test_given_trees_are_held_against_those_of_a_parser_too() -> None:
    line = " ".join(WORDS)
    trees = kilter.Trees(references=[[DependencyTree(WORDS, HEADS, labels=LABELS, tags=PENN)]])
    told = kilter.score([line], [line], metrics="dted", trees=trees, parser="perceptron").notes
    assert any(note.startswith("system: the tags of its trees are not those of") for note in told)


def test_the_samples_fit() -> None:
    lines = {
        name: (ROOT / "examples" / f"trees-{name}.en").read_text(encoding="utf-8").splitlines()
        for name in ("system", "reference")
    }
    read = [kilter.read_trees(str(ROOT / "examples" / f"trees-{name}.conllu")) for name in lines]
    trees = kilter.Trees(systems=read[:1], references=read[1:])
    told = kilter.score(lines["system"], lines["reference"], metrics="dted", trees=trees).notes
    assert [note for note in told if "alone has" in note] == []
