"""The tree that the wheel is built from."""

import tarfile
from pathlib import Path

from tests.release.plain_commands import IN_PYTHON, TOGETHER, WANT, WORK
from tests.release.source_tree import unpack


def archive(folder: Path, files: dict[str, str]) -> Path:
    """Return an archive of these files, as source distributions are."""
    for name, text in files.items():
        path = folder / "held" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    packed = folder / "kilter-1.tar.gz"
    with tarfile.open(packed, "w:gz") as opened:
        for name in files:
            opened.add(folder / "held" / name, f"kilter-1/{name}")
    return packed


def test_the_tree_holds_the_files_of_the_archive_and_no_others_but_what_was_compiled(
    tmp_path: Path,
) -> None:
    tree = tmp_path / "tree"
    assert unpack(archive(tmp_path, {"a.cpp": "1", "b/c.py": "2", "d": "3"}), tree) == 3
    compiled = tree / "build" / "a.o"
    compiled.parent.mkdir()
    compiled.write_text("object", encoding="utf-8")
    before = (tree / "a.cpp").stat().st_mtime_ns
    assert unpack(archive(tmp_path, {"a.cpp": "1", "b/c.py": "4"}), tree) == 1
    assert (tree / "a.cpp").stat().st_mtime_ns == before
    assert (tree / "b" / "c.py").read_text(encoding="utf-8") == "4"
    assert not (tree / "d").exists()
    assert compiled.exists()


def test_no_command_is_tried_twice_in_the_same_way() -> None:
    lines = [*WORK, *(line for lines in WANT.values() for line in lines)]
    assert len(lines) == len({*lines})
    assert not {*WANT} & ({*IN_PYTHON} | TOGETHER)
