"""Mutated files of judgments without header and of scores: each is read, or refused with its place."""

from __future__ import annotations

import warnings
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kilter.core.errors import InputError, KilterWarning
from kilter.io.judgments.reader import read_judgments
from kilter.io.score_file import WHOLE, read_metric_scores
from kilter.io.stream import ByteSource
from tools.fuzz.lines import mutated

if TYPE_CHECKING:
    from random import Random

JUDGED = {
    "t.rank": b"Czech,English,7,a.test,7,j1,1,A,2,B,3,C,1,2,2\nCzech,English,8,a.test,8,j1,1,A,2,B,3,C,3,-1,1\n",
    "t.csv": b'1,A,"B, or so"\r\n2,B,"A\nA"\r\n',
    "t.pairs": b"1 A B\n2 B A\n",
    "t.signs": b"1 A > B\n1 A < C\n2 B = C\n",
    "t.tsv": b"1\tde-en\tA\tde-en\tB\n2\tde-en\tB\tde-en\tA\n",
}
SCORED = {
    "t.seg.score": b"BLEU\tde-en\tnews\tA\t1\t0.5\nBLEU\tde-en\tnews\tA\t2\t-1e-3\nTER\tde-en\tnews\tB\t1\tnan\n",
    "t.sys.score": b"BLEU\tde-en\tnews\tA\t20.5\tno\tyes\nBLEU\tde-en\tnews\tB\t19\tno\tyes\n",
    "u.sys.score": b"A\t0.5\nB\t0.25\n",
    "t.score": b"A\t0.5\nA\tNone\nB\t0.25\nB\t1\n",
    "t.tsv": b"system\tsegment\tmetric\tscore\tstatistics\nA\t1\tkendall\t0.5\t0.5 1.0;0.25 1.0\n",
    "t.txt": b"A 1 0.5\nB 1 0.25\n",
}


def check(chance: Random) -> None:
    """Read one of the samples with some bytes changed; one that is not changed must be read."""
    samples, read = chance.choice([(JUDGED, _judgments), (SCORED, _scores)])
    name = chance.choice(sorted(samples))
    data = samples[name]
    for _ in range(chance.randrange(3)):
        data = mutated(data, chance)
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", KilterWarning)  # what columns are taken for
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            read(str(path))
        except InputError as error:
            assert data != samples[name]
            assert str(error.where).startswith(str(path))  # noqa: PT017 - an error is one of two outcomes


def _judgments(path: str) -> None:
    found = read_judgments(path)
    pairs = found.pairs
    assert ((pairs.first >= 0) & (pairs.first < len(found.systems))).all()
    assert ((pairs.second >= 0) & (pairs.second < len(found.systems))).all()
    assert (pairs.segment >= 0).all()
    assert len(set(found.systems)) == len(found.systems)


def _scores(path: str) -> None:
    for rows in read_metric_scores(ByteSource(path), name="given").values():
        assert rows
        for row in rows:
            assert row.segment >= 0 or row.segment == WHOLE
            assert row.score is None or isfinite(row.score)
