"""Results come in order, few batches are in flight, and errors when their turn comes."""

import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterWarning
from kilter.run.engine.engine import Batch, Engine, InProcess, attempt
from kilter.run.engine.local import ThreadEngine
from tests.run.engine.tasks import Interrupted, batches, counted, doubled, refused

ENGINES = [InProcess, partial(ThreadEngine, 2)]


@pytest.mark.parametrize("make", ENGINES)
def test_results_come_in_order_and_no_batch_is_taken_far_ahead(make: type[Engine]) -> None:
    taken: list[int] = []
    with make() as engine:
        results = engine.map(doubled, counted(9, taken))
        assert not taken
        assert next(results) == 0
        assert taken in ([0], [0, 1, 2, 3])
        assert list(results) == [2, 4, 6, 8, 10, 12, 14, 16]


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.filterwarnings("ignore:three comes")
def test_an_error_comes_after_the_results_before_it(make: type[Engine]) -> None:
    with make() as engine:
        results = engine.map(refused, batches(9))
        assert [next(results) for _ in range(3)] == [0, 2, 4]
        with pytest.raises(InputError, match=r"^numbers:7: is three$"):
            next(results)


@pytest.mark.parametrize("make", ENGINES)
def test_an_error_of_the_input_comes_after_the_results_before_it(make: type[Engine]) -> None:
    def broken() -> Iterator[Batch[int]]:
        yield from batches(2)
        raise InputError("is cut off", where="numbers:5")

    with make() as engine:
        results = engine.map(doubled, broken())
        assert [next(results), next(results)] == [0, 2]
        with pytest.raises(InputError, match="numbers:5: is cut off"):
            next(results)


def test_what_fails_for_no_fault_of_the_data_is_tried_again(tmp_path: Path) -> None:
    task = Interrupted(folder=tmp_path, at=1, times=2, killed=False)
    assert list(ThreadEngine(2).map(task, batches(4))) == [0, 2, 4, 6]
    for path in tmp_path.iterdir():
        path.unlink()
    lasting = Interrupted(folder=tmp_path, at=1, times=3, killed=False)
    results = ThreadEngine(2).map(lasting, batches(4))
    assert next(results) == 0
    with pytest.raises(RuntimeError, match="the disk is gone"):
        next(results)


# Rows of a batch, as messages name them.


def test_a_batch_names_its_rows() -> None:
    assert Batch(data=None, first=7, rows=3).place == "rows 7 to 9"
    assert Batch(data=None, first=7, rows=1).place == "row 7"


# What becomes of a batch travels as a value.


def test_a_result_an_error_and_warnings_travel() -> None:
    good, _, _, bad = (
        pickle.loads(pickle.dumps(attempt(refused, batch)))  # noqa: S301 - our own bytes
        for batch in batches(4)
    )
    assert good.told() == doubled(batches(1)[0])
    with pytest.warns(KilterWarning, match="three comes"), pytest.raises(InputError, match="three"):
        bad.told()


def test_any_other_exception_is_told_with_its_traceback() -> None:
    found = attempt(lambda batch: batch.data.nothing, batches(1)[0])
    assert found.error is None
    with pytest.raises(RuntimeError, match=r"a worker failed:\n(.|\n)*AttributeError: 'int'"):
        found.told()
