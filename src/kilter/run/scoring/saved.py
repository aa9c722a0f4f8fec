"""Scores that were kept: what to keep of a run, and runs compared after they were loaded again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.settings import checked
from kilter.metrics.registry import metric
from kilter.results.comparison import Comparison, SignificanceTest
from kilter.results.score_result import MetricFacts, ScoredTexts, ScoreResult
from kilter.run.scoring.corpus import Texts
from kilter.run.scoring.given_score import own_metric
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.significance import compare_measured
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, evidence_note, resample_note

_DIGITS = 16
"""How much of a digest messages show."""


def scored_texts(texts: Texts, settings: Settings) -> ScoredTexts:
    """Return what a saved result keeps of its texts and settings."""
    given = {"links": texts.links.any(), "trees": bool(texts.trees)}
    return ScoredTexts(
        systems={name: tuple(lines) for name, lines in texts.systems.items()},
        references={name: tuple(lines) for name, lines in texts.references.items()},
        source=texts.source and (texts.source[0], tuple(texts.source[1])),
        settings={
            "metrics": settings.specifications,
            "aligner": settings.aligners or None,
            "parser": settings.parsers or None,
            "tokenize": settings.tokenize,
            "language": settings.language,
            "lowercase": settings.lowercase,
            "empty": str(settings.empty),
            "rule": settings.rule,
            "resampling": asdict(replace(settings.resampling, jobs=1)),
        },
        structures=tuple(name for name, is_given in given.items() if is_given),
    )


def text_digest(lines: Sequence[str]) -> str:
    """Return what `sha256sum` prints of a file of these lines.

    >>> text_digest(["a b", "c"])[:16]
    '721a7916ccfa5684'
    """
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


@checked
def compare_results(
    results: Mapping[str, ScoreResult],
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest] = tuple(SignificanceTest),
    marks: MarkRule = MarkRule.CORRECTED,
    resampling: Resampling | None = None,
) -> Comparison:
    """Return the comparison of runs that were scored apart, as `compare` gives it of their texts.

    `results` are scores by the names of their runs, such as files; systems keep their names where these
    differ. Other references, another source or other settings are an `InputError`.

    >>> import kilter
    >>> runs = {name: kilter.score([f"{name} c"] * 9, ["a b c"] * 9, metrics="bleu") for name in ("a b", "b a")}
    >>> compare_results(runs).systems
    ('a b', 'b a')
    """
    names = check_same(results)
    first, *others = results.values()
    shared = [name for name in first.metrics if all(name in each.metrics for each in others)]
    if not shared:
        raise InputError("have no metric in common; score them with the same", where=_all(results))
    left_out = dict.fromkeys(
        name for each in results.values() for name in each.metrics if name not in shared
    )
    drawn = resampling or Resampling()
    found = compare_measured(
        [*names.values()],
        [_measured(name, results) for name in shared],
        baseline=baseline,
        tests=tests,
        resampling=drawn,
        marks=marks,
    )
    notes = [
        *[f"{name}: not in all of {_all(results)}, and left out" for name in left_out],
        evidence_note(first.count),
        *found.missing_notes,
        *found.notes,
        resample_note(drawn.count),
    ]
    return replace(found, notes=tuple(note for note in notes if note))


def saved_texts(results: Mapping[str, ScoreResult]) -> tuple[Texts, Settings]:
    """Return the texts of runs that were scored apart, and the settings of all."""
    names = check_same(results)
    all_kept = {run: _kept(run, each) for run, each in results.items()}
    first, kept = next(iter(all_kept.items()))
    for run, own in all_kept.items():
        digests = _settings_digest(kept), _settings_digest(own)
        _check_digests((first, digests[0]), (run, digests[1]), "under other settings")
        if structures := own.structures:
            raise InputError(
                f"was scored with {' and '.join(structures)} of files, which it does not hold; name the texts instead",
                where=run,
            )
    options = {**kept.settings, "resampling": Resampling(**kept.settings["resampling"])}
    texts = Texts(
        systems={
            names[run, system]: lines
            for run, own in all_kept.items()
            for system, lines in own.systems.items()
        },
        references=kept.references,
        source=kept.source,
    )
    return texts, Settings(**options)


def check_same(results: Mapping[str, ScoreResult]) -> dict[tuple[str, str], str]:
    """Return names of systems by run and name; runs of other texts or settings are an `InputError`."""
    if not results:
        raise InputError("hold no scores; give the result of one run or more", where="results")
    (first, one), *others = results.items()
    kept = _kept(first, one)
    for run, each in others:
        own = _kept(run, each)
        references = [(name, text_digest(lines)) for name, lines in own.references.items()]
        known = [text_digest(lines) for lines in kept.references.values()]
        if len(references) != len(known):
            raise InputError(
                f"was scored against {counted(len(references), 'reference')}, {first} against {len(known)}; score both "
                "against the same",
                where=run,
            )
        for (name, digest), other in zip(references, known, strict=True):
            _check_digests((first, other), (run, digest), f"against another reference ({name})")
        sources = [side.source and text_digest(side.source[1]) for side in (kept, own)]
        if sources[0] and sources[1]:
            _check_digests((first, sources[0]), (run, sources[1]), "with another source")
        _check_signatures((first, one), (run, each))
    return _names(results)


def _check_signatures(first: tuple[str, ScoreResult], other: tuple[str, ScoreResult]) -> None:
    shared = [name for name in first[1].metrics if name in other[1].metrics]
    sides = [[each.metrics[name].signature for name in shared] for _, each in (first, other)]
    for known, signature in zip(*sides, strict=True):
        if known != signature:
            digests = [text_digest(side) for side in sides]
            one, two = (set(side.split("|")) for side in (known, signature))
            named = [", ".join(sorted(side)) or "nothing" for side in (two - one, one - two)]
            how = f"under other settings ({' instead of '.join(named)})"
            _check_digests((first[0], digests[0]), (other[0], digests[1]), how)


def _check_digests(first: tuple[str, str], other: tuple[str, str], how: str) -> None:
    if first[1] != other[1]:
        raise InputError(
            f"was scored {how}: sha256 {other[1][:_DIGITS]}, but {first[0]} has {first[1][:_DIGITS]}; "
            "score both alike",
            where=other[0],
        )


def _settings_digest(texts: ScoredTexts) -> str:
    return text_digest([f"{name}={value!r}" for name, value in texts.settings.items()])


def _kept(run: str, result: ScoreResult) -> ScoredTexts:
    if result.texts is None:
        raise InputError("does not hold the texts that were scored; score them again", where=run)
    return result.texts


def _names(results: Mapping[str, ScoreResult]) -> dict[tuple[str, str], str]:
    """Return how systems are called: by their names, or by those of their runs where names are the same."""
    listed = [(run, system) for run, each in results.items() for system in each.systems]
    if len({system for _, system in listed}) == len(listed):
        return {key: key[1] for key in listed}
    single = all(len(each.systems) == 1 for each in results.values())
    return {(run, system): run if single else f"{run}/{system}" for run, system in listed}


def _all(results: Mapping[str, ScoreResult]) -> str:
    return ", ".join(results)


def _measured(name: str, results: Mapping[str, ScoreResult]) -> Measured:
    """Return what resampling needs of a metric: its statistics of the systems of all runs."""
    keys = [(each, system) for each in results.values() for system in each.systems]
    facts = next(iter(results.values())).metrics[name]
    parts = [each.part_arrays.get((name, system), ()) for each, system in keys]
    return Measured(
        metric=_metric(facts),
        statistics=[each.statistic_arrays[name, system] for each, system in keys],
        signature=facts.signature,
        configurations=facts.configurations,
        configuration=facts.configuration,
        called=name.removesuffix(f"@{facts.configuration}") if facts.configuration else name,
        parts=parts if all(parts) else (),
        scores=[each.segment_arrays[name, system] for each, system in keys],
    )


def _metric(facts: MetricFacts) -> Any:
    """Return a metric by the options that it had; where files of them are gone, without these."""
    name = ":".join(filter(None, [facts.tool, facts.variant]))
    return own_metric(name) or metric(facts.tool)
