"""Latency measures and forced lag: the numbers of other tools, oracles and the laws of specification 19.2."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.latency import Lag, Needs, Rows, published_latencies, running_max
from tests.oracles import latency as oracle

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(tool: str) -> dict[str, list[dict]]:  # type: ignore[type-arg]
    return json.loads((GOLDEN / f"latency_{tool}.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def one(
    delays: list[float], source: float, reference: int | None, end: float | None = None
) -> dict[str, float | None]:
    found = published_latencies(
        np.array(delays, dtype=np.float64),
        Rows(np.array([0, len(delays)])),
        source_lengths=np.array([source], dtype=np.float64),
        reference_lengths=None if reference is None else np.array([reference]),
        ends=None if end is None else np.array([end]),
    )
    return {name: None if np.isnan(value[0]) else float(value[0]) for name, value in found.items()}


@pytest.mark.parametrize("measure", ["AL", "LAAL", "AP", "DAL"])
def test_the_numbers_of_simuleval(measure: str) -> None:
    compared = 0
    for case in golden("simuleval")["cases"]:
        inputs, expected = case["input"], case["output"]
        size = len(inputs["reference"].split(" "))
        for suffix, delays, reference in (
            ("", "delays", size),
            (".CA", "elapsed", size),
            (".no_ref_len", "delays", None),
            (".no_ref_len.CA", "elapsed", None),
        ):
            if measure + suffix in expected:
                found = one(inputs[delays], inputs["source_length"], reference)[measure]
                assert found == pytest.approx(expected[measure + suffix], rel=1e-12), case["id"]
                compared += 1
    assert compared >= 64


def test_the_numbers_of_omnisteval() -> None:
    for case in golden("omnisteval")["cases"]:
        inputs, expected = case["input"], case["output"]
        size = len(inputs["reference"].split())
        for suffix, delays in (("", "delays"), (".CA", "elapsed")):
            found = one(inputs[delays], inputs["source_length"], size)
            for name, end in (
                ("LongYAAL", np.inf),
                ("LongYAAL.rec_end", inputs["time_to_recording_end_for_rec_end"]),
            ):
                found[name] = one(inputs[delays], inputs["source_length"], size, end)["YAAL"]
            for name, value in found.items():
                wanted = expected[name + suffix]
                told = None if wanted is None else pytest.approx(wanted, rel=1e-12)
                assert value == told, case["id"]


def test_the_numbers_of_simulstream() -> None:
    for case in golden("simulstream")["sentence_cases"]:
        inputs = case["input"]
        found = one(inputs["delays"], inputs["source_length"], inputs["target_length"])
        assert found["LAAL"] == pytest.approx(case["output"]["laal"], rel=1e-12)


@st.composite
def translations(draw: st.DrawFn) -> tuple[int, list[float], list[tuple[int, int]]]:
    """Return the words of a source, delays that never fall, and links."""
    source, target = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    delays = draw(st.lists(st.integers(0, source), min_size=target, max_size=target).map(sorted))
    pair = st.tuples(st.integers(0, source - 1), st.integers(0, target - 1))
    return source, [float(each) for each in delays], sorted(draw(st.sets(pair, max_size=12)))


def lag_of(delays: list[float], links: list[tuple[int, int]]) -> tuple[Needs, Lag]:
    rows = Rows(np.array([0, len(delays)]))
    needs = Needs.of(
        np.array(links, dtype=np.int32).reshape(-1, 2), np.zeros(len(links), np.int64), rows
    )
    return needs, Lag.of(
        np.array(delays), needs.own.astype(np.float64), needs.needed.astype(np.float64)
    )


@given(translations())
def test_measures_and_parts_are_those_of_the_oracle(
    case: tuple[int, list[float], list[tuple[int, int]]],
) -> None:
    source, delays, links = case
    size = len(delays)
    found = one(delays, source, size + 2)
    assert found["AL"] == pytest.approx(oracle.al(delays, source, size + 2))
    assert found["LAAL"] == pytest.approx(oracle.al(delays, source, size + 2))
    assert one(delays, source, 1)["LAAL"] == pytest.approx(oracle.al(delays, source, size))
    assert found["DAL"] == pytest.approx(oracle.dal(delays, source))
    expected = oracle.yaal(delays, source, size + 2, source)
    assert (found["YAAL"] is None) == np.isnan(expected)
    assert found["YAAL"] is None or found["YAAL"] == pytest.approx(expected)
    needs, lag = lag_of(delays, links)
    for word, parts in enumerate(oracle.parts(delays, links)):
        assert needs.linked[word] == (parts is not None)
        if parts is not None:
            assert (needs.own[word], needs.needed[word]) == (parts["own"], parts["needed"])
            for name in ("lag", "forced", "avoidable", "anticipated"):
                assert getattr(lag, name)[word] == parts[name]


@given(translations())
def test_law_parts_add_up_and_forced_lag_is_no_more_than_the_lag(
    case: tuple[int, list[float], list[tuple[int, int]]],
) -> None:
    _, delays, links = case
    needs, lag = lag_of(delays, links)
    least = needs.needed - needs.own
    linked = needs.linked
    total = lag.forced + lag.avoidable - lag.anticipated
    assert (total == lag.lag)[linked].all()
    said_after = linked & (np.array(delays) >= needs.own)
    assert (lag.forced <= lag.lag)[said_after].all()
    assert (lag.forced + lag.avoidable == 0)[linked & ~said_after].all()
    assert ((lag.forced >= 0) & (lag.forced <= least))[linked].all()
    _, punctual = lag_of(needs.needed.astype(np.float64).tolist(), links)
    assert (punctual.forced == least)[linked].all()
    assert not (punctual.avoidable + punctual.anticipated)[linked].any()
    _, later = lag_of([delay + 1 for delay in delays], links)
    assert (later.lag == lag.lag + 1).all()
    assert (later.forced >= lag.forced)[linked].all()


@given(translations())
def test_law_links_that_do_not_cross_force_nothing(
    case: tuple[int, list[float], list[tuple[int, int]]],
) -> None:
    _, delays, links = case
    kept: list[tuple[int, int]] = []
    for link in links:
        if all((link[0] - s) * (link[1] - t) >= 0 for s, t in kept):
            kept.append(link)
    assert not any((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(kept, 2))
    needs, _ = lag_of(delays, kept)
    assert (needs.needed == needs.own)[needs.linked].all()


@given(translations())
def test_law_the_least_lag_is_what_a_monotone_rewording_saves(
    case: tuple[int, list[float], list[tuple[int, int]]],
) -> None:
    _, delays, links = case
    needs, _ = lag_of(delays, links)
    own = needs.own[needs.linked]
    reworded = np.maximum.accumulate(np.sort(own)).sum() if own.size else 0
    assert (needs.needed - needs.own)[needs.linked].sum() == needs.needed[
        needs.linked
    ].sum() - reworded


@given(st.lists(st.lists(st.integers(-3, 3), max_size=6), max_size=6))
def test_a_running_maximum_begins_anew_in_each_segment(segments: list[list[int]]) -> None:
    rows = Rows(np.array([0, *np.cumsum([len(each) for each in segments])], dtype=np.int64))
    flat = np.array([x for each in segments for x in each], dtype=np.int64)
    expected = [max(each[: k + 1]) for each in segments for k in range(len(each))]
    assert running_max(flat, rows.positions).tolist() == expected
    assert rows.sums(flat).tolist() == [sum(each) for each in segments]


def test_what_is_not_defined_is_missing() -> None:
    assert set(one([], 3, 2).values()) == {None}
    assert one([3.0, 3.0], 3, 2)["YAAL"] is None
    assert one([1.0], 1, 0)["AL"] is None
    assert one([1.0], 0, 1)["AP"] is None
    assert one([5.0], 3, 1)["AL"] == 5.0
