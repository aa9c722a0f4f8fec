"""What a study asks and says: files that come with kilter, or stand in the folder of the study."""

from __future__ import annotations

from pathlib import Path

from kilter.io.toml_table import TomlTable, inside

DATA = Path(__file__).parents[1] / "data"


def data_file(kind: str, name: str, folder: Path) -> Path:
    """Return a bundled file of a kind by name, or a TOML file of the study's folder."""
    if name.endswith(".toml"):
        return inside(folder, name, where=str(folder))
    bundled = DATA / kind / f"{Path(name).name}.toml"
    if not bundled.is_file():
        known = ", ".join(sorted(path.stem for path in (DATA / kind).glob("*.toml")))
        raise TomlTable({}, where=str(folder)).error(
            f"there is no {name!r} among {kind}; choose {known}, or name a .toml file"
        )
    return bundled
