"""A metric that is fed batch by batch, as torchmetrics offers it: update, compute, reset; of text or of token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError, OptionError
from kilter.core.settings import changed, in_order, unsequenced
from kilter.metrics.registry import is_group, metric
from kilter.run.scoring.corpus import texts_from_api
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray


class KilterMetric:
    """Any metric of Kilter in a training loop: it keeps sums of additive statistics, and no text.

    Batches are lists of strings, or of token ids: lists, arrays or tensors with a row for each segment. Ids in
    `ignore`, such as those of padding, are left out; the others are the words, and need no tokeniser. Settings are those
    of `kilter.score`.

    >>> order = KilterMetric("order", ignore=[0])
    >>> order.update([[5, 6, 7, 0], [8, 9, 4, 3]], [[5, 6, 7, 0], [8, 9, 4, 3]])
    >>> order.compute()
    1.0
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self, specification: str = "order", *, ignore: Collection[int] = (-100,), **settings: Any
    ) -> None:
        if not isinstance(specification, str) or is_group(specification):
            raise OptionError(f"the metric is {specification!r}; name one, such as 'order'")
        self._metric = metric(specification, language=settings.get("language"))
        self.higher_is_better = self._metric.higher_is_better
        self.specification = specification
        self.ignore = frozenset(ignore)
        self.settings = settings
        changed(
            Settings(), {**settings, "metrics": [specification]}
        )  # refused now, not in the first batch
        self.sums: NDArray[np.float64] | None = None

    def update(self, preds: object, target: object) -> None:
        """Add a batch: outputs, and one reference for each."""
        added = self._sums(preds, target)
        self.sums = added if self.sums is None else self.sums + added

    def compute(self) -> float:
        """Return the score of all batches so far; not a number where it is undefined, or nothing was added."""
        return float("nan") if self.sums is None else self._score(self.sums)

    def __call__(self, preds: object, target: object) -> float:
        """Add a batch and return its own score."""
        added = self._sums(preds, target)
        self.sums = added if self.sums is None else self.sums + added
        return self._score(added)

    def merge(self, other: KilterMetric) -> None:
        """Add what another one was fed, such as that of another process."""
        if other.specification != self.specification:
            raise OptionError(f"{other.specification} cannot be added to {self.specification}")
        if other.sums is not None:
            self.sums = other.sums if self.sums is None else self.sums + other.sums

    def reset(self) -> None:
        """Forget all batches."""
        self.sums = None

    def _score(self, sums: NDArray[np.float64]) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(self._metric.corpus_score(sums))

    def _sums(self, preds: object, target: object) -> NDArray[np.float64]:
        outputs, ids = self._lines(preds, "preds")
        references, target_ids = self._lines(target, "target")
        if ids is not target_ids:
            raise InputError("hold token ids on one side and text on the other", where="preds")
        texts = texts_from_api(outputs, references)
        settings = {**self.settings, "metrics": [self.specification]}
        if ids:
            settings["tokenize"] = "none"
        (measured,) = measure(texts, changed(Settings(), settings)).measured
        sums: NDArray[np.float64] = np.asarray(measured.statistics[0]).sum(axis=0)
        return sums

    def _lines(self, batch: object, where: str) -> tuple[list[object], bool]:
        """Return segments, token ids as words, and whether they were ids."""
        plain = batch.tolist() if hasattr(batch, "tolist") else batch
        if isinstance(plain, str) or unsequenced(plain) is not None:
            raise InputError(
                "are no batch; give a list of strings, or rows of token ids", where=where
            )
        rows: list[Any] = [
            row.tolist() if hasattr(row, "tolist") else row for row in in_order(plain)
        ]
        if not rows:
            raise InputError("are an empty batch; give a segment or more", where=where)
        if not all(_is_ids(row) for row in rows):
            return rows, False
        return [
            " ".join(str(each) for each in row if each not in self.ignore) for row in rows
        ], True


def _is_ids(row: object) -> bool:
    return isinstance(row, list | tuple) and all(
        isinstance(each, int) and not isinstance(each, bool) for each in row
    )
