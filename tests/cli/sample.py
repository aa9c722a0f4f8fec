"""The bundled sample as files, and small files of one's own."""

from pathlib import Path

from kilter.run.demo import SAMPLE, SYSTEMS

REFERENCE = str(SAMPLE / "reference.en")
REFERENCE_2 = str(SAMPLE / "reference2.en")
PATHS = [str(SAMPLE / f"{name}.en") for name in SYSTEMS]
VERB = str(SAMPLE / "verb.en")


def written(folder: Path, name: str, text: str | bytes) -> str:
    """Return the path of a new file with this text."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)
