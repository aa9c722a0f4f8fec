"""Rank scores of the sentences of a pool, from rankings of WMT. Section 12.7, [TH] equation 6.1"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.io.judgments.ranking import is_ranking, ranking
from kilter.io.judgments.reader import read_judgment_table
from kilter.io.judgments.segment_scores import mean_scores
from kilter.io.judgments.system_name import names_pairs
from kilter.io.stream import ByteSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kilter.core.judgments import Judgments
    from kilter.io.table import DataTable
    from kilter.study.design.pool import PoolCorpus


@dataclass(frozen=True, slots=True)
class RankedCorpora:
    """Corpora with the rank scores of their sentences; what is wrong with rankings, and what was left out."""

    corpora: list[PoolCorpus]
    problems: list[InputError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def ranked(corpora: Sequence[PoolCorpus]) -> RankedCorpora:
    """Return corpora with the rank scores of sentences that their rankings hold.

    A sentence scores 1 - (rank - 1) / |S|, the mean over the tasks that rank it; |S| counts the different
    texts of a task, as far as the corpora with the same rankings and languages tell them. Line n of the
    texts is segment n of the rankings.
    """
    done = RankedCorpora(list(corpora))
    groups: dict[tuple[Path, str], list[int]] = {}
    for place, corpus in enumerate(corpora):
        if corpus.files.rankings is not None:
            groups.setdefault((corpus.files.rankings, corpus.files.pair), []).append(place)
    for (path, pair), places in groups.items():
        outputs = {corpora[place].files.ranked_as: corpora[place].hypotheses for place in places}
        try:
            judgments = _judgments(path, pair, outputs)
        except InputError as problem:
            done.problems.append(problem)
            continue
        for place in places:
            _add(done, place, judgments)
    return done


def _judgments(path: Path, pair: str, outputs: dict[str, tuple[str, ...]]) -> Judgments:
    table = read_judgment_table(ByteSource(str(path)), check=_check_ranking)
    _check_ranking(table)
    return ranking(table, outputs=outputs, pair=pair if names_pairs(table) else None)


def _check_ranking(table: DataTable) -> None:
    if not is_ranking(table):
        raise InputError(
            "holds no rankings: the header has no system1Id and system1rank; its columns are "
            f"{table.header()}",
            where=f"{table.name}:1",
        )


def _add(done: RankedCorpora, place: int, judgments: Judgments) -> None:
    corpus = done.corpora[place]
    files, given = corpus.files, judgments.scores
    if files.ranked_as not in judgments.systems:
        done.problems.append(
            InputError(
                f"ranks no system {files.ranked_as!r} for {files.pair}; it has "
                f"{', '.join(sorted(judgments.systems))}; say by ranked_as = ... how it calls {files.name}",
                where=judgments.source,
            )
        )
        return
    means = mean_scores(given.segment, given.system, given.value, given.line)
    own = means.system == judgments.systems.index(files.ranked_as)
    scores = dict(zip(means.segment[own].tolist(), means.value[own].tolist(), strict=True))
    beyond = [segment for segment in scores if segment >= len(corpus.references)]
    if beyond:
        done.notes.append(
            f"{files.name}: {counted(len(beyond), 'ranked segment')} of {judgments.source} beyond the "
            f"{counted(len(corpus.references), 'line')} of the texts, the first {min(beyond) + 1}"
        )
    done.corpora[place] = replace(
        corpus, rank_scores={at: score for at, score in scores.items() if at not in beyond}
    )
