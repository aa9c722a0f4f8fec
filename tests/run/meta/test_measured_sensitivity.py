"""What metrics notice, from files: direction, ties, kinds, and length as a baseline."""

from pathlib import Path

import numpy as np
import pytest

from kilter.run.meta.sensitivity import (
    label_sensitivity,
    noticed,
    perturbation_sensitivity,
    separation,
)
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.score import score_texts
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.cli.sample import written

DRAWN = Resampling(resamples=20, seed=3)
METRICS = ("ter", "f1")
SETTINGS = Settings(metrics=METRICS, resampling=DRAWN)
PAIRS = [
    ("swap", "the cat sat on the mat", "the cat sat on the mat", "cat the sat on the mat"),
    ("swap", "a dog ran home", "a dog ran home", "a dog home ran"),
    ("word", "we saw a red house", "we saw a red house", "we saw a blue barn"),
    ("word", "they left early", "they went early", "they left early"),
    ("word", "rain fell all day", "rain fell all day", "rain fell all day"),
]
OUTPUTS = [
    ("a b c d", "d c b a", 1), ("a b c d", "a b c d", 0), ("e f g", "g e f", 1),
    ("e f g h i", "e f g h i", 0), ("k l", "l k", 1), ("k l m", "k l m", 0),
    ("n o p q r s", "n o p", 0),
]  # fmt: skip


def scores(metric: str, outputs: list[str], references: list[str]) -> list[float]:
    texts = Texts(systems={"x": outputs}, references={"r": references})
    found = score_texts(texts, Settings(metrics=[metric], resampling=Resampling(resamples=1)))
    sign = -1.0 if metric == "ter" else 1.0
    return [float(sign * value) for value in found.segment_arrays[metric, "x"]]


def test_a_change_is_noticed_where_a_metric_says_it_got_worse(tmp_path: Path) -> None:
    lines = ["kind\treference\toriginal\tperturbed", *("\t".join(row) for row in PAIRS)]
    path = written(tmp_path, "p.tsv", "\n".join(lines) + "\n")
    found = perturbation_sensitivity([path], SETTINGS)
    assert found.unchanged == 1
    assert dict(found.kinds) == {"swap": 2, "word": 2}
    for metric in METRICS:
        for kind in ("swap", "word"):
            rows = [row for row in PAIRS if row[0] == kind and row[2] != row[3]]
            references = [row[1] for row in rows]
            before, after = (scores(metric, [row[k] for row in rows], references) for k in (2, 3))
            drops = [b - a for b, a in zip(before, after, strict=True)]
            made = found.metrics[metric][kind]
            assert made.items == len(rows)
            assert made.lower == sum(drop > 1e-9 for drop in drops)
            assert made.higher == sum(drop < -1e-9 for drop in drops)
            assert made.drop.value == pytest.approx(sum(drops) / len(drops))
            expected = noticed(np.array(before), np.array(after), tie=1e-9, resampling=DRAWN)
            assert made.share == pytest.approx(expected.share)
    # Less is better by ter, and a change for the worse is noticed all the same.
    assert found.metrics["ter"]["swap"].lower == 2
    assert found.metrics["f1"]["word"].higher == 1


def test_labelled_outputs_are_separated_by_scores_and_by_length(tmp_path: Path) -> None:
    lines = ["reference\toutput\tlabel", *(f"{r}\t{o}\t{label}" for r, o, label in OUTPUTS)]
    path = written(tmp_path, "l.tsv", "\n".join(lines) + "\n")
    found = label_sensitivity(path, SETTINGS)
    assert (found.outputs, found.wrong) == (7, 3)
    wrong = np.array([label == 1 for *_, label in OUTPUTS])
    lengths = np.array([len(output.split()) for _, output, _ in OUTPUTS])
    references, outputs = [row[0] for row in OUTPUTS], [row[1] for row in OUTPUTS]
    columns = {"length": [-float(length) for length in lengths]}
    columns |= {metric: scores(metric, outputs, references) for metric in METRICS}
    for name, column in columns.items():
        won = [
            (a < b) + 0.5 * (a == b)
            for a, is_wrong in zip(column, wrong, strict=True) if is_wrong
            for b, other in zip(column, wrong, strict=True) if not other
        ]  # fmt: skip
        every, matched = found.metrics[name]
        assert every.auc.value == pytest.approx(sum(won) / len(won))
        assert every.pairs == 12
        assert matched == separation(
            np.array(column), wrong, lengths=lengths, window=1, resampling=DRAWN
        )
        near = [
            (a, b)
            for a in range(7) if wrong[a]
            for b in range(7) if not wrong[b] and abs(lengths[a] - lengths[b]) <= 1
        ]  # fmt: skip
        assert matched.pairs == len(near) < 12
        of_near = [(column[a] < column[b]) + 0.5 * (column[a] == column[b]) for a, b in near]
        assert matched.auc.value == pytest.approx(sum(of_near) / len(near))
    # Longer outputs count as worse.
    assert found.signatures["length"] == "length|longer outputs first"


def test_what_is_to_be_known_of_the_scores_is_told_here_too(tmp_path: Path) -> None:
    german = "er hat das nicht gesehen und sie auch"
    pairs = f"kind\treference\toriginal\tperturbed\nswap\t{german}\t{german}\tdas {german}\n"
    settings = Settings(metrics="kendall", parser="perceptron", resampling=DRAWN)
    changed = perturbation_sensitivity([written(tmp_path, "p.tsv", pairs)], settings)
    outputs = f"reference\toutput\tlabel\n{german}\t{german}\t1\n{german}\tdas {german}\t0\n"
    labelled = label_sensitivity(written(tmp_path, "l.tsv", outputs), settings)
    for notes in (changed.notes, labelled.notes):
        assert [note for note in notes if "the stems of match are English" in note]
        assert [note for note in notes if "the parser perceptron has no effect" in note]
        assert not [note for note in notes if "segment" in note]
