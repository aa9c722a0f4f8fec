"""Order errors that the page carries are those that were put in."""

from base64 import b64decode
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.render.page.report_data import error_data, packed_states
from kilter.results.explanation import ErrorKind
from tests.render.page.packed import unpacked, unpacked_positions, unpacked_signed
from tests.render.page.reported import sample_report


def unpacked_states(text: str, count: int) -> list[int]:
    return [byte >> shift & 3 for byte in b64decode(text) for shift in (0, 2, 4, 6)][:count]


@given(st.lists(st.integers(0, 3)))
def test_states_are_read_back_as_they_were(states: list[int]) -> None:
    text = packed_states(np.array(states, dtype=np.int8))
    assert unpacked_states(text, len(states)) == states


def test_every_error_of_the_sample_is_read_back() -> None:
    report = sample_report()
    data: Any = error_data(report.errors)
    assert data["kinds"] == [str(kind) for kind in ErrorKind]
    assert sum(map(len, report.errors)) == 4 * 48
    for errors, given_errors in zip(report.errors, data["systems"], strict=True):
        words, moved = (unpacked_positions(given_errors[key]) for key in ("words", "moved"))
        kinds, before = unpacked(given_errors["kinds"]), unpacked(given_errors["before"])
        distances, directions = (unpacked(given_errors[key]) for key in ("distances", "directions"))
        shares = unpacked_signed(given_errors["shares"])
        costs = [unpacked_signed(column) for column in given_errors["costs"]]
        assert unpacked(given_errors["counts"]) == errors.counts.tolist()
        for row in range(len(kinds)):
            error = errors.error(row)
            assert kinds[row] == error.kind
            assert tuple(words[row]) == error.words
            assert tuple(moved[row]) == error.moved
            assert (distances[row], directions[row]) == (error.distance, error.direction)
            assert before[row] == error.belongs_before
            assert abs(shares[row] / data["parts"]["share"] - error.share) <= 0.0005
            for column, name in zip(costs, data["metrics"], strict=True):
                assert abs(column[row] / data["parts"]["cost"] - error.cost[name]) <= 0.00005
        states = unpacked_states(given_errors["hypothesis_states"], len(errors.hypothesis_states))
        assert states == errors.hypothesis_states.tolist()
        lengths = unpacked(given_errors["reference_lengths"])
        assert lengths == np.diff(errors.reference_offsets).tolist()
        states = unpacked_states(given_errors["reference_states"], sum(lengths))
        assert states == errors.reference_states.tolist()


def test_a_report_without_errors_carries_none() -> None:
    assert error_data(()) is None
