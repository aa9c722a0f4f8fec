"""A folder of parts takes those of one run alone."""

from pathlib import Path

import pytest

from kilter.core.errors import InputError
from kilter.run.engine.run import PartFolder


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
        InputError, match=r"holds part-000000, which is no file; .* remove the folder"
    ):
        parts.holds(0, 2)


def test_an_exchanged_part_is_made_again(tmp_path: Path) -> None:
    parts = folder(tmp_path, input="a")
    parts.begin()
    parts.write(0, b"first", rows=2)
    (parts.path / "part-000001").write_bytes((parts.path / "part-000000").read_bytes())
    assert (parts.holds(0, 2), parts.holds(1, 2)) == (True, False)
