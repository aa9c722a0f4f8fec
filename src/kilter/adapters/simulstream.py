"""What word order forces, as latency scorers of simulstream: `python -m kilter.adapters.simulstream`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.corpus import word_counts
from kilter.core.counted import counted
from kilter.core.errors import InputError, KilterError, MissingToolError, OptionError
from kilter.io.latency_log import DelayedText, cut_recording, recorded_text
from kilter.io.links import read_links
from kilter.io.stream import ByteSource
from kilter.io.text_file import read_text_file
from kilter.run.latency import latency

if TYPE_CHECKING:
    from collections.abc import Sequence

MEASURES = ("lag", "forced", "avoidable", "anticipated")
"""Each is a scorer, `kilter_lag` and so on: seconds per linked word."""


def register() -> list[str]:
    """Make the scorers known to simulstream in this process; return their names."""
    try:
        from simulstream.metrics.scorers import latency as door  # noqa: PLC0415 - not every user has it
    except ImportError as error:
        raise MissingToolError(
            "kilter.adapters.simulstream", install="pip install simulstream"
        ) from error

    class Scorer(door.LatencyScorer):  # type: ignore[misc] # it has no types
        measure = ""

        def score(self, samples: Sequence[Any]) -> Any:
            """Return the mean lag without and with the time of computing."""
            if self.args.latency_unit != "word":
                raise OptionError("links join words; use --latency-unit word")
            return door.LatencyScores(
                *(
                    mean_lag(
                        samples,
                        self.measure,
                        source=self.args.source,
                        links=self.args.links,
                        elapsed=elapsed,
                    )
                    for elapsed in (False, True)
                )
            )

        @classmethod
        def add_arguments(cls, parser: Any) -> None:
            """Declare the files that tell what the order forces."""
            parser.add_argument("--source", required=True, help="source text, a line per segment")
            parser.add_argument(
                "--links",
                required=True,
                help="links of source and translation (Pharaoh), a line per segment",
            )

        def requires_reference(self) -> bool:
            """Return that recordings are cut into segments by their references."""
            return True

    names = [f"kilter_{measure}" for measure in MEASURES]
    for name, measure in zip(names, MEASURES, strict=True):
        door.register_latency_scorer(name)(type(name, (Scorer,), {"measure": measure}))
    return names


def delayed_text(samples: Sequence[Any], *, elapsed: bool = False) -> DelayedText:
    """Return what samples of simulstream hold, cut into the segments of their references."""
    words: list[tuple[str, ...]] = []
    delays: list[float] = []
    for sample in samples:
        said = sample.hypothesis
        times = said.computational_aware_delays if elapsed else said.ideal_delays
        for segment, later in cut_recording(
            [*zip(said.text_items("word"), times, strict=True)],
            [each.content for each in sample.reference],
            [each.start_time for each in sample.reference],
        ):
            words.append(segment)
            delays += later
    segments = [each for sample in samples for each in sample.reference]
    return recorded_text(
        "simulstream",
        words,
        delays,
        [each.content for each in segments],
        [each.duration for each in segments],
    )


def mean_lag(
    samples: Sequence[Any], measure: str, *, source: str, links: str, elapsed: bool = False
) -> float:
    """Return a measure of all linked words, in seconds; source words are taken to be evenly spread."""
    text = delayed_text(samples, elapsed=elapsed)
    lines = read_text_file(source)
    if len(lines) != len(text):
        raise InputError(
            f"has {counted(len(lines), 'line')} for {counted(len(text), 'segment')} of the references",
            where=source,
        )
    lengths = word_counts(lines), np.diff(text.offsets)
    read = read_links(ByteSource(links), lengths=lengths, sides=("source", "translation"))
    found = latency(text, links=read.sure, source=lines).systems[text.name].measures[measure]
    return float("nan") if found.value is None else found.value


def main() -> None:
    """Run the latency scoring of simulstream, which knows these scorers, too."""
    try:
        register()
        from simulstream.metrics.score_latency import cli_main  # noqa: PLC0415 - the same

        cli_main()
    except KilterError as error:
        sys.exit(f"kilter: {error}")


if __name__ == "__main__":
    main()
