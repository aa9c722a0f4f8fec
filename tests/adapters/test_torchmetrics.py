"""Metrics that are fed batch by batch."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kilter
from kilter.adapters.torchmetrics import KilterMetric
from kilter.core.errors import InputError, KilterError, OptionError
from tests.thorough import examples

ROWS = st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=6), min_size=1, max_size=8)
METRICS = ("order", "bleu", "kendall", "ter", "chrf")


def texts(rows: list[list[int]]) -> list[str]:
    return [" ".join(map(str, row)) for row in rows]


def expected(metric: str, preds: list[str], target: list[str], **settings: Any) -> float:
    found = kilter.score(preds, target, metrics=metric, **settings).system[metric].value
    return float("nan") if found is None else found


@examples(30)
@given(ROWS, st.sampled_from(METRICS), st.integers(1, 4), st.randoms())
def test_batches_of_token_ids_score_as_their_text_in_one_piece(
    target: list[list[int]], metric: str, size: int, rng: Any
) -> None:
    preds = [rng.sample(row, len(row)) for row in target]
    width = max(map(len, target))
    padded = [[[*row, *[0] * (width - len(row))] for row in side] for side in (preds, target)]
    running = KilterMetric(metric, ignore=[0])
    for start in range(0, len(target), size):
        running.update(*(np.array(side[start : start + size]) for side in padded))
    known = expected(metric, texts(preds), texts(target), tokenize="none")
    assert running.compute() == pytest.approx(known, abs=1e-12, nan_ok=True)


def test_text_is_scored_as_by_score() -> None:
    lines = ["The mat sat on the cat.", "She sleeps."], ["The cat sat on the mat.", "She sleeps."]
    for metric in METRICS:
        assert KilterMetric(metric)(*lines) == expected(metric, *lines)
        assert kilter.metric(metric).running()(*lines) == expected(metric, *lines)
    several = KilterMetric("bleu")(["a b c d"], [["x", "a b c d"]])
    assert several == 1.0


def test_a_call_is_the_score_of_its_batch_and_adds_it() -> None:
    running = kilter.metric("kendall").running(ignore=[0])
    assert running([[1, 2, 3, 0]], [[1, 2, 3, 0]]) == 1.0
    assert running([[3, 2, 1]], [[1, 2, 3]]) == 0.0
    assert running.compute() == 0.5
    other = kilter.metric("kendall").running()
    other.update([[1, 2]], [[1, 2]])
    running.merge(other)
    assert running.compute() == pytest.approx(2 / 3)
    running.reset()
    assert np.isnan(running.compute())
    running.merge(other)
    running.merge(KilterMetric("kendall"))
    assert running.compute() == 1.0
    with pytest.raises(OptionError, match="order cannot be added to kendall"):
        running.merge(KilterMetric("order"))


class Tensor:
    """What looks like a tensor of PyTorch: it is turned into lists, and has rows that are tensors."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def tolist(self) -> list[Any]:
        return self.values


def test_tensors_and_lists_of_tensors_are_batches() -> None:
    one = KilterMetric("bleu", ignore=[9])(Tensor([[1, 2, 3, 4, 9]]), [Tensor([1, 2, 3, 4])])
    assert one == 1.0


@pytest.mark.parametrize(
    "batch",
    [None, "a b", 3, [], [1, 2], [[1.5]], [[True]], {"a"}, [["a"], [1]], [None], np.zeros(())],
)
def test_what_is_no_batch_is_refused(batch: Any) -> None:
    running = KilterMetric("order")
    with pytest.raises((InputError, TypeError)) as caught:
        running.update(batch, [[1, 2]])
    assert isinstance(caught.value, KilterError)
    assert running.sums is None


def test_a_metric_is_refused_before_the_first_batch() -> None:
    with pytest.raises(OptionError):
        KilterMetric("nothing")
    with pytest.raises(OptionError):
        KilterMetric("order", tokenise="none")
    with pytest.raises(OptionError):
        KilterMetric("all")
    with pytest.raises(InputError, match="token ids on one side"):
        KilterMetric("order").update([[1, 2]], ["1 2"])
    with pytest.raises(InputError):
        KilterMetric("order").update([[1, 2]], [[1, 2], [3, 4]])
