"""A Kilter metric as sacreBLEU's `Metric`: corpus_score, sentence_score, get_signature."""

from __future__ import annotations

from dataclasses import fields
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np
from sacrebleu.metrics.base import Metric, Score, Signature

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import changed
from kilter.io.text import entries, text_lines
from kilter.metrics.one_segment import reference_lines
from kilter.metrics.registry import METRICS, is_group, metric, metric_class
from kilter.run.scoring.corpus import texts_from_api
from kilter.run.scoring.measurement import measure
from kilter.run.scoring.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence


_STREAMS = "one list of strings per reference"


class KilterSignature(Signature):
    """The signature of a Kilter metric inside sacreBLEU's report."""

    def __init__(self, args: dict[str, object]) -> None:
        super().__init__(args)
        self.text = str(args.get("text", ""))

    def format(self, short: bool = False) -> str:  # noqa: FBT001, FBT002 - sacreBLEU's signature
        """Return Kilter's own signature."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


class _LastScore(local):
    """What the last score of a thread says of itself; a copy in another process has none yet."""

    signature = ""

    def __reduce__(self) -> tuple[type[_LastScore], tuple[()]]:
        return _LastScore, ()


class KilterMetric(Metric):
    """Any metric of Kilter for code that expects one of sacreBLEU.

    References come in sacreBLEU's order: one list per reference, each with one string per segment.
    Scores are 100 times Kilter's, as sacreBLEU's users expect.

    >>> metric = KilterMetric("kendall")
    >>> round(metric.corpus_score(["the mat sat"], [["the mat sat"]]).score, 6)
    100.0
    """

    _SIGNATURE_TYPE = KilterSignature

    def __init__(
        self, specification: str = "pef", *, references: object = None, **settings: Any
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if isinstance(specification, str) and is_group(specification):
            raise OptionError("a KilterMetric is one metric; make one for each")
        # An unknown one is an error here, not at the first score.
        self._metric = metric(specification, language=settings.get("language"))
        self.specification = specification
        self.settings = settings
        self.name = specification
        self._kept = references
        self._last = _LastScore()

    def get_signature(self) -> Signature:
        """Return the signature of the last score in this thread; before one, there is none."""
        if not self._last.signature:
            raise OptionError(
                "the signature is that of the last score, and there is none yet; call corpus_score first"
            )
        return KilterSignature({"text": self._last.signature, "num_refs": self.num_refs})

    def sentence_score(self, hypothesis: str, references: object) -> Any:
        """Return the score of one hypothesis against its references, one string each."""
        lines = reference_lines(references)
        return self.corpus_score([hypothesis], [[line] for line in lines])

    # What sacreBLEU refuses here, such as arrays, is checked below, as everywhere in Kilter.
    def _check_corpus_score_args(self, hyps: object, refs: object) -> None:
        pass

    def _extract_corpus_statistics(self, hypotheses: object, references: object) -> Any:
        given = references if references is not None else self._kept
        if given is None:
            raise InputError("there are no references; pass them, or give them to KilterMetric")
        lines = text_lines(hypotheses, where="hypotheses")
        streams = [
            text_lines(
                stream, where=f"reference {place}", wanted="a list of strings, one per segment"
            )
            for place, stream in enumerate(
                entries(given, where="references", wanted=_STREAMS), start=1
            )
        ]
        if not streams:
            raise InputError(f"there are none; pass {_STREAMS}", where="references")
        for place, stream in enumerate(streams, start=1):
            if len(stream) != len(lines):
                raise InputError(
                    f"reference {place} has {counted(len(stream), 'segment')}, the hypotheses have "
                    f"{len(lines)}; sacreBLEU's order is one list per reference"
                )
        self.num_refs = len(streams)
        given = dict(self.settings)
        texts = texts_from_api(
            lines,
            [list(group) for group in zip(*streams, strict=True)],
            given.pop("source", None),
            links=given.pop("links", None),
            trees=given.pop("trees", None),
        )
        settings = changed(Settings(), {**given, "metrics": [self.specification]})
        measured = measure(texts, settings).measured
        if len(measured) != 1:
            raise OptionError(
                "a KilterMetric is one score; name one aligner and one parser at most"
            )
        self._last.signature = measured[0].signature
        return measured[0].statistics[0]

    def _aggregate_and_compute(self, stats: object) -> Score:
        return self._compute_score_from_stats(np.asarray(stats).sum(axis=0))

    def _compute_score_from_stats(self, stats: object) -> Score:
        value = self._metric.corpus_score(np.asarray(stats, dtype=np.float64))
        return Score(self.name, 100.0 * float(value))

    # Statistics of a whole corpus are computed at once, so that the steps below are never taken.
    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, object]:
        return {"references": list(refs)}

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[object]:
        streams = [[reference] for reference in ref_kwargs["references"]]
        return list(self._extract_corpus_statistics([hypothesis], streams)[0])

    def _cache_references(self, references: Sequence[Sequence[str]]) -> list[object]:
        self._kept = references
        return [references]


def class_of(name: str) -> type[KilterMetric]:
    """Return a class of its own for a metric, whose options are keywords beside those of `KilterMetric`.

    `from kilter.adapters.sacrebleu import Pef, WerPer` finds those of all metrics.

    >>> class_of("pef")(beta=0.5).specification
    'pef:beta=0.5'
    """
    options = {entry.name for entry in fields(metric_class(name))}

    def begin(self: KilterMetric, *, references: object = None, **settings: Any) -> None:
        own = {key: settings.pop(key) for key in [*settings] if key in options}
        values = ",".join(f"{key}={_spelled(value)}" for key, value in own.items())
        specification = f"{name}:{values}" if values else name
        KilterMetric.__init__(self, specification, references=references, **settings)

    space = {"__init__": begin, "__module__": __name__, "__doc__": metric_class(name).__doc__}
    return type(_class_name(name), (KilterMetric,), space)


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _class_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def __getattr__(name: str) -> type[KilterMetric]:
    """Return the class of a metric by its name, made when it is first asked for."""
    for known in [] if name.startswith("_") else METRICS.names():
        if _class_name(known) == name:
            found = globals()[name] = class_of(known)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
