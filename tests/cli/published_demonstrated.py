"""Runs of `kilter published` that differ in one option alone."""

from tests.cli.demonstration import shown, threads

_TABLE = "published pef-5 --format tsv"
_JUDGED = f"{_TABLE} --data in/published"

DEMONSTRATED = {
    "published": {
        "--data": shown(f"{_TABLE} --resamples 20", "in/published", "in/published-other"),
        "--resamples": shown(_JUDGED, "20", "50"),
        "--seed": shown(f"{_JUDGED} --resamples 20", "1", "2"),
        "--jobs": threads(f"{_JUDGED} --resamples 20"),
        "--format": shown("published th-5.1"),
    },
}
