"""Makes the source distribution and unpacks it, so that what is built and tested is built from its files alone.

`python -m tests.release.source_tree DIST TREE` writes the archive into DIST and its files into TREE, touching only
those that differ: compiled objects in `TREE/build` stay good for the others.
"""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

KEPT = "build"


def unpack(archive: Path, tree: Path) -> int:
    """Make the tree hold the files of the archive and no others, and return how many were written."""
    wanted: dict[Path, tuple[bytes, int]] = {}
    with tarfile.open(archive) as opened:
        for member in opened:
            stream = opened.extractfile(member)
            if stream is not None:
                # Every name begins with a folder of the name and version of the archive.
                wanted[tree.joinpath(*Path(member.name).parts[1:])] = stream.read(), member.mode
    for path in tree.rglob("*"):
        if path.is_file() and path not in wanted and path.relative_to(tree).parts[0] != KEPT:
            path.unlink()
    changed = {
        path: held
        for path, held in wanted.items()
        if not path.is_file() or path.read_bytes() != held[0]
    }
    for path, (content, mode) in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
    return len(changed)


def main(dist: Path, tree: Path) -> None:
    """Build the archive of the working directory and unpack it."""
    from scikit_build_core.build import build_sdist

    archive = dist / build_sdist(str(dist))
    count = unpack(archive, tree)
    sys.stdout.write(f"{archive}: {archive.stat().st_size:,} bytes; {count} files written\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
