"""A run goes on after what another one kept."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.engine.engine import Batch, Engine, InProcess
from kilter.run.engine.local import ThreadEngine
from kilter.run.engine.run import KeptParts, PartFolder, made_ahead, run_batches
from tests.run.engine.tasks import batches, doubled, refused


def parts(path: Path) -> KeptParts[int]:
    folder = PartFolder(path=path / "out.parts", made_of={"input": "a"})
    return KeptParts(folder=folder, pack=lambda number: str(number).encode(), unpack=int)


@pytest.mark.parametrize("make", [InProcess, lambda: ThreadEngine(2)])
@pytest.mark.filterwarnings("ignore:three comes")
def test_only_what_is_missing_is_worked_on(make: Callable[[], Engine], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is three"):
        list(run_batches(make(), refused, batches(6), parts=parts(tmp_path)))
    worked: list[int] = []

    def seen(batch: Batch[int]) -> int:
        worked.append(batch.data)
        return doubled(batch)

    kept = parts(tmp_path)
    (kept.folder.path / "part-000001").unlink()
    found = list(run_batches(make(), seen, batches(6), parts=kept))
    assert found == [0, 2, 4, 6, 8, 10]
    assert sorted(worked) == [1, 3, 4, 5]
    assert kept.kept == 2
    worked.clear()
    again = parts(tmp_path)
    assert list(run_batches(make(), seen, batches(6), parts=again)) == found
    assert (worked, again.kept) == ([], 6)


def test_progress_tells_rows_and_how_many_there_will_be() -> None:
    told: list[tuple[int, int | None]] = []
    unknown = Batch(data=0, first=9, rows=3)
    run = run_batches(
        InProcess(), doubled, [*batches(4), unknown], progress=lambda *now: told.append(now)
    )
    assert list(run) == [0, 2, 4, 6, 0]
    assert told == [(2, 8), (4, 8), (6, 8), (8, 8), (11, None)]


def test_an_input_that_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    def nothing() -> list[Batch[int]]:
        raise InputError("is empty", where="numbers")

    with pytest.raises(InputError):
        list(run_batches(InProcess(), doubled, (each for each in nothing()), parts=parts(tmp_path)))
    assert not list(tmp_path.iterdir())


# Items that a thread makes while others are worked on.


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


# A folder of parts takes those of one run alone.


def folder(path: Path, **made_of: object) -> PartFolder:
    return PartFolder(path=path / "out.parts", made_of=made_of)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    parts.write(1, b"two\nlines", rows=2)
    again = folder(tmp_path, input="a")
    again.begin()
    assert (again.holds(0, 2), again.holds(1, 2)) == (False, True)
    assert again.read(1) == b"two\nlines"
    again.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("removed", range(4))
def test_a_run_goes_on_after_one_that_was_interrupted_while_it_removed_parts(
    removed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    for place in range(3):
        parts.write(place, b"x", rows=2)
    unlink, left = Path.unlink, iter(range(removed))

    def interrupted(path: Path, *, missing_ok: bool = False) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", interrupted)
        with pytest.raises(KeyboardInterrupt):
            parts.remove()
    again = folder(tmp_path, input="a")
    again.begin()
    assert sum(again.holds(place, 2) for place in range(3)) == 3 - removed
    again.remove()
    assert not list(tmp_path.iterdir())


def test_parts_of_another_run_or_other_rows_are_refused(tmp_path: Path) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    parts.write(0, b"x", rows=2)
    with pytest.raises(InputError, match="holds parts of a run with another input; go on with"):
        folder(tmp_path, input="b").begin()
    with pytest.raises(InputError, match="holds part-000000 of another run"):
        folder(tmp_path, input="b").holds(0, 2)
    with pytest.raises(InputError, match="holds other rows in part-000000"):
        parts.holds(0, 3)


@pytest.mark.parametrize(
    ("content", "fault"),
    [(b"", "or a damaged one"), (b"\xff", "or a damaged one"), (b"[]", "with another input;")],
)
def test_a_damaged_record_is_refused(tmp_path: Path, content: bytes, fault: str) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    (parts.path / "run.json").write_bytes(content)
    with pytest.raises(InputError, match=f"{fault}.*remove the folder to begin anew"):
        parts.begin()


@pytest.mark.parametrize("content", [b"", b"[]\n", b"{}\n", b"\xff\n"])
def test_a_damaged_part_is_made_again(tmp_path: Path, content: bytes) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    parts.write(0, b"content", rows=2)
    part = parts.path / "part-000000"
    assert parts.holds(0, 2)
    part.write_bytes(part.read_bytes().replace(b"content", b"contend"))
    assert not parts.holds(0, 2)
    part.write_bytes(content)
    assert not parts.holds(0, 2)
    with pytest.raises(InputError, match="holds part-000000, which was damaged while we looked"):
        parts.read(0)


def test_a_folder_in_the_place_of_a_part_is_refused_with_what_helps(tmp_path: Path) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    (parts.path / "part-000000").mkdir()
    with pytest.raises(
        InputError, match=r"holds part-000000, which is not a file; .* remove the folder"
    ):
        parts.holds(0, 2)


def test_an_exchanged_part_is_made_again(tmp_path: Path) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    parts.write(0, b"first", rows=2)
    (parts.path / "part-000001").write_bytes((parts.path / "part-000000").read_bytes())
    assert (parts.holds(0, 2), parts.holds(1, 2)) == (True, False)
