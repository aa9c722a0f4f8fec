"""Statistics that were set aside on disk are resampled as those in memory are."""

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.errors import InputError
from kilter.io.spool import Spool
from kilter.run.scoring.measurement import Key, Measurement, measure_streams
from kilter.run.scoring.score import score_texts, summarise
from kilter.run.scoring.settings import Settings
from kilter.stats.resampling import Resampling
from tests.run.scoring.streamed import cut_into, resampled_in, sample

SETTINGS = Settings(metrics=["kendall", "lr"], resampling=Resampling(resamples=20))


def measured() -> Measurement:
    return measure_streams(sample(), SETTINGS)


@pytest.mark.parametrize("columns", [1, 3, 1000])
def test_columns_and_segments_may_be_resampled_some_at_a_time(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = score_texts(sample().whole(), SETTINGS)
    cut_into(monkeypatch, 3)
    resampled_in(monkeypatch, 20)
    numbers = columns * 2 * 20  # of two systems and twenty resamples
    monkeypatch.setattr("kilter.run.scoring.resampled._RESAMPLED_NUMBERS", numbers)
    told: list[tuple[int, int]] = []
    found = summarise(measured(), SETTINGS, progress=lambda done, total: told.append((done, total)))
    assert found.to_dict() == whole.to_dict()
    blocks = -(-whole.count // 20)
    assert told[:2] == [(20, told[0][1]), (40, told[0][1])]
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] == len(told) // blocks * whole.count


def test_what_is_no_number_is_named_by_system_segment_and_statistic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut_into(monkeypatch, 3)
    add = Spool.add
    spoils = ((Key("lr", 1, "statistic 1"), 4, np.nan), (Key("lr", 1, "statistic 0"), 5, np.inf))

    def spoiled(spool: Spool[Key], columns: dict[Key, NDArray[np.float64]]) -> None:
        for name, place, value in spoils:
            if len(spool) <= place < len(spool) + len(columns[name]):
                columns[name] = columns[name].copy()
                columns[name][place - len(spool)] = value
        add(spool, columns)

    monkeypatch.setattr(Spool, "add", spoiled)
    with pytest.raises(
        InputError, match="system 2, segment 5: statistic 2 is nan; what is resampled"
    ):
        summarise(measured(), SETTINGS)
