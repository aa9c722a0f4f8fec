"""Items that a thread makes while others are worked on."""

import threading
from collections.abc import Iterator

import pytest

from kilter.run.engine.run import made_ahead


def test_items_come_in_order_and_the_next_is_made_meanwhile() -> None:
    made = threading.Semaphore(0)

    def items() -> Iterator[int]:
        for number in range(5):
            made.release()
            yield number

    taken = []
    with made_ahead(items()) as ahead:
        for place, number in enumerate(ahead):
            assert made.acquire(timeout=20)
            if place < 4:
                assert made.acquire(timeout=20)  # nobody asked for it yet
                made.release()
            taken.append(number)
    assert taken == [0, 1, 2, 3, 4]


def test_an_error_comes_in_its_place() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("two")

    with made_ahead(items()) as ahead:
        assert next(ahead) == 1
        with pytest.raises(ValueError, match="two"):
            next(ahead)


def test_whoever_stops_early_leaves_no_thread() -> None:
    endless = iter(int, 1)
    with made_ahead(endless) as ahead:
        assert next(ahead) == 0
    assert not any(each.name.startswith("kilter-reader") for each in threading.enumerate())
