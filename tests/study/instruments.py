"""Studies with other instruments than the published one."""

from pathlib import Path

from kilter.study.design.creation import create
from tests.study.generated import write_study
from tests.study.running import PASSWORD

ROW = '[[composition]]\nitems = {}\nkind = "{}"\n'
OPEN = "\n[recruitment]\nopen = true\nlimit = 40\n"
KINDS = {"together": "together", "direct-assessment": "translation", "pairwise": "pair"}


def instrument_study(
    folder: Path,
    instrument: str,
    *,
    items: int = 3,
    systems: int = 5,
    extra: str = "",
    rest: str = "",
) -> Path:
    """Write a study with an instrument, some items for it, and open recruitment; return its folder."""
    options = f'instrument = "{instrument}"\ninterface = ["en", "de"]\n{extra}'
    rows = ROW.format(items, KINDS[instrument]) + rest
    return write_study(folder, lines=30, systems=systems, options=options, rest=OPEN + rows)


def created(folder: Path, instrument: str, **given: int | str) -> Path:
    """Return the folder of a created study with an instrument."""
    made = instrument_study(folder, instrument, **given)  # type: ignore[arg-type]
    create(made, password=PASSWORD)
    return made
