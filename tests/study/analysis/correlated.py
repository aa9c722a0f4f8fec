"""A study whose correlations are computed, and rows of its table."""

import numpy as np
from numpy.typing import NDArray

from kilter.stats.resampling import Resampling
from kilter.stats.undefined import Undefined
from kilter.study.analysis.adjustment import adjust
from kilter.study.analysis.judged_correlation import ToolCorrelation, tool_correlations
from kilter.study.analysis.subgroup import Split
from kilter.study.judgments.judgment_study import (
    JudgmentStudy,
    SentenceGroup,
)
from tests.study.analysis.studies import crossed, permutation, scores, translation


def made(*, people: int = 6, translations: int = 20, seed: int = 1) -> JudgmentStudy:
    """Return a study whose tools know the quality of sentences well, badly, or not at all."""
    chance = np.random.default_rng(seed)
    sentences = [translation(f"t{k}") for k in range(translations)]
    sentences += [permutation(f"o{k}", "order", k + 1, degree_score=1 - k / 4) for k in range(5)]
    quality = chance.random(len(sentences))
    judged = quality + 0.2 * chance.normal(size=(people, len(sentences)))
    judged += 0.2 * chance.normal(size=(people, 1))
    levels = np.clip(np.rint(1 + 4 * judged), 1, 5)
    degree = [np.nan] * translations + [1.0, 0.75, 0.5, 0.25, 0.0]
    tools = [
        scores("dted", quality, variant="variant=b", configuration="one"),
        scores("dted", quality + 0.3 * chance.random(len(sentences)), variant="variant=b", configuration="two"),
        scores("dted", chance.random(len(sentences)), variant="variant=b,flat=true"),
        scores("bleu", np.full(len(sentences), 0.5)),
        scores("wmt-rank", [*quality[:translations], *[np.nan] * 5]),
        scores("degree", degree),
        scores("theirs", [*quality[:15], *[np.nan] * 10], external=True),
        scores("rare", [*quality[:14], *[np.nan] * 11], external=True),
    ]  # fmt: skip
    fields = {
        0: {"age": "29", "education": "Masters"},
        1: {"age": "30", "education": "undergraduate"},
        2: {"age": "51"},
    }
    return crossed(levels.tolist(), sentences=sentences, tools=tools, fields=fields)


STUDY = made()


ADJUSTED = {name: adjust(STUDY, name) for name in ("holistic", "order")}


ROWS = tool_correlations(STUDY, adjustments=ADJUSTED, resampling=Resampling(resamples=200))


def row(name: str, **wanted: object) -> ToolCorrelation:
    asked = {
        "question": "order",
        "sentences": SentenceGroup.TRANSLATION,
        "adjusted": False,
    } | wanted
    (found,) = [
        entry
        for entry in ROWS
        if entry.name == name and all(getattr(entry, key) == value for key, value in asked.items())
    ]
    return found


def _groups(split: Split | Undefined) -> Split:
    assert isinstance(split, Split)
    return split


def on_translations(values: NDArray[np.float64], people: int, sentences: int) -> list[list[float]]:
    """Return answers about each translation of a crossed study, sentence by sentence."""
    listed: list[list[float]] = values.reshape(people, -1)[:, :sentences].T.tolist()
    return listed
