"""A run goes on after what another one kept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.engine.engine import Batch, Engine, InProcess
from kilter.run.engine.local import ThreadEngine
from kilter.run.engine.run import KeptParts, PartFolder, run_batches
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
