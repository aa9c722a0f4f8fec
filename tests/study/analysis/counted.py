"""A small study whose numbers are counted by hand."""

import numpy as np

from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence
from tests.study.analysis.studies import permutation, scores, study, translation

SENTENCES = (
    translation("t1", reference="a b", hypothesis="a b c"),
    translation("t2", reference="a b c d", hypothesis="a b c d e", pair="cs-en", source="x y"),
    permutation("o1", "order", 1, pair="de-en"),
    permutation("o2", "order", 3, pair="de-en"),
    permutation("c1", "choice", 3, pair="de-en"),
    JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a"),
)


ROWS = [
    (0, 0, 5, 4), (0, 2, 3, 2), (0, 4, 1, None), (0, 5, 5, 5),
    (1, 1, 5, 5), (1, 0, None, None), (1, 3, 2, 1),
]  # fmt: skip


MADE = study(
    ROWS,
    SENTENCES,
    tools=[
        scores("wmt-rank", [0.5, 1.0] + [np.nan] * 4),
        scores("degree", [np.nan, np.nan, 1.0, 0.0, 0.0, np.nan]),
        scores("dted", [0.4, 0.6, 0.5, 0.45, 0.5, 1.0], variant="variant=b,flat=true"),
    ],
    fields={
        0: {"age": "29", "gender": "female", "languages": "English (native); German (fluent): C1"},
        1: {"age": None, "gender": "female", "languages": "Hindi ()", "education": "masters"},
    },
)
