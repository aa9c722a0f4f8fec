"""`python -m models.score.train FOLDER`: weights of `kilter` and the report on them, from WMT 2012 alone.

FOLDER holds `wmt12-into-english` and `wmt12-en-de`, and for the report `demetr`. It takes about ten minutes
of one core; `--cache DIR` keeps what word vectors say for another run.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import Vocabulary
from kilter.metrics.fitted_weight import WordModel
from kilter.metrics.kilter import Kilter
from kilter.metrics.order import Order
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.run import Run
from kilter.run.scoring.settings import Settings
from models.score import report
from models.score.wmt12 import INTO_ENGLISH, PAIRS, JudgedTexts, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

VERSION = "3"
FITTED_ON = "rankings of WMT 2012: Czech, German, Spanish and French to English, and without a model English to German"
WEIGHTS = Path(__file__).parents[2] / "src" / "kilter" / "metrics" / "weights"
REPORT = Path(__file__).parent / "REPORT.md"


def main() -> None:
    """Write the weights and the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache")
    given = parser.parse_args()
    corpora = {pair: read(given.folder, pair) for pair in PAIRS}
    _write(WEIGHTS / "words-en.json", _words(corpora[INTO_ENGLISH[0]].reference))
    weights, margins, text = {}, {}, [report.HEAD]
    for encoder, pairs in ((WordModel.NONE, PAIRS), (WordModel.EN, INTO_ENGLISH)):
        judged = [corpora[pair] for pair in pairs]
        measured = [_measured(each, encoder, given.cache) for each in judged]
        names = list(measured[0].parts)
        values = [np.stack(list(each.parts.values())) for each in measured]
        fitted = report.Fitted(
            names,
            judged,
            values,
            [each.left for each in measured],
            [each.chrf for each in measured],
            [each.words for each in measured],
        )
        weights[encoder] = fitted.weights()
        margins[encoder] = [round(float(slope), 2) for slope in fitted.slopes()]
        text.append(fitted.table(encoder))
        text.append(report.order_table(encoder, judged, measured))
    text.append(report.perturbed(given.folder / "demetr"))
    document = {
        "version": VERSION,
        "fitted_on": FITTED_ON,
        "weights": weights,
        "margins": margins,
    }
    _write(WEIGHTS / "kilter.json", document)
    REPORT.write_text("\n".join(text), encoding="utf-8")


def _words(reference: list[str]) -> dict[str, object]:
    """Return in how many sentences each word is, by number; what is in one only is left out."""
    vocabulary = Vocabulary()
    column = vocabulary.column_of_lines([line.lower() for line in reference], tokenized=True)
    counts = Counter(word for s in range(len(column)) for word in set(vocabulary.text(column, s)))
    listed = defaultdict(list)
    for word, count in sorted(counts.items()):
        if count > 1:
            listed[count].append(word)
    return {
        "version": VERSION,
        "counted_in": "English references of WMT 2012",
        "sentences": len(reference),
        "words": {str(count): " ".join(listed[count]) for count in sorted(listed)},
    }


def _measured(judged: JudgedTexts, encoder: WordModel, cache: str | None) -> report.Measured:
    """Return systems x segments: the parts of `kilter`, what disorder leaves, `order`, chrF and coverage."""
    texts = Texts(systems=judged.systems, references={"reference": judged.reference})
    language = None if judged.language == "en" and encoder is WordModel.NONE else judged.language
    settings = Settings(
        metrics=["kilter", "order", "chrf", "coverage"], language=language, cache=cache
    )
    run = Run.of(texts, settings)
    metrics = list(run.metrics.values())
    parts: dict[str, list[Floats]] = defaultdict(list)
    columns: list[list[Floats]] = [[] for _ in metrics]
    ordered, left = [], []
    for metric, column in zip(metrics, columns, strict=True):
        for (evaluation,) in run.evaluations_for(metric):
            measure = metric.measure(evaluation)
            column.append(measure.scores)
            if isinstance(metric, Order):
                ordered.append(float(metric.corpus_score(measure.statistics.sum(axis=0))))
            if isinstance(metric, Kilter):
                for name, values in metric.part_values(evaluation, 0).items():
                    parts[name].append(values)
                left.append(metric.left(evaluation, 0))
    _, order, chrf, covered = (np.stack(column) for column in columns)
    words = evaluation.references[0].tokens.lengths
    return report.Measured(
        {name: np.stack(values) for name, values in parts.items()},
        np.stack(left),
        order,
        np.array(ordered),
        chrf,
        covered,
        words,
    )


def _write(path: Path, document: dict[str, object]) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
