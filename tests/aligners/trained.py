"""Texts to learn from, and aligners made to learn."""

import numpy as np

from kilter.aligners.em_aligner import EmAligner
from kilter.aligners.em_model import EmModel
from kilter.aligners.registry import aligner
from kilter.core.corpus import TokenColumn, Vocabulary

TEXT = [
    ("the house", "das Haus"),
    ("the book", "das Buch"),
    ("a book", "ein Buch"),
    ("a house", "ein Haus"),
    ("the small house", "das kleine Haus"),
    ("the small book", "das kleine Buch"),
    ("", ""),
    ("a", ""),
]


NAMES = ["ibm1", "hmm"]


def columns(text: list[tuple[str, str]], vocabulary: Vocabulary) -> tuple[TokenColumn, TokenColumn]:
    first = vocabulary.column([one.split() for one, _ in text])
    return first, vocabulary.column([other.split() for _, other in text])


def made(specification: str) -> EmAligner:
    found = aligner(specification)
    assert isinstance(found, EmAligner)
    return found


def same(one: EmModel, other: EmModel) -> bool:
    names = ("offsets", "targets", "probabilities", "jumps")
    return all(
        np.array_equal(getattr(getattr(one, side), name), getattr(getattr(other, side), name))
        for side in ("forward", "reverse")
        for name in names
    ) and (
        one.kind,
        one.training,
        one.lowercase,
        one.first_words,
        one.second_words,
        one.null,
        one.uniform,
    ) == (
        other.kind,
        other.training,
        other.lowercase,
        other.first_words,
        other.second_words,
        other.null,
        other.uniform,
    )
