"""Runs of `kilter spans` that differ in one option alone."""

from kilter.io.spans.entry import SpanFormatName
from tests.cli.demonstration import Table, shown, talk, threads

_MARKED = "in/marked.jsonl"


def _of_files(command: str) -> Table:
    every = [str(name) for name in SpanFormatName]
    wrong = tuple(name for name in every if name not in ("esa", "pearmut"))
    return {
        "--from": shown(f"{command} {_MARKED}", *every, errors=wrong, same=(("pearmut", "esa"),)),
        "--text": shown(
            f"{command} in/tagged.tags --from tags",
            "in/tagged.en",
            "in/one.en",
            errors=("in/one.en",),
        ),
        "--system": shown(f"{command} {_MARKED}", "", "nobody", errors=("nobody",)),
        "--annotator": shown(f"{command} {_MARKED}", "", "ann", "ben"),
    }


_SCORED = "spans score in/marked.jsonl --resamples 50"

DEMONSTRATED = {
    "spans score": {
        "--from": shown(
            "spans score in/marked.jsonl --resamples 50 --no-controls",
            *SpanFormatName,
            errors=tuple(name for name in SpanFormatName if name not in ("esa", "pearmut")),
            same=(("pearmut", "esa"),),
        ),
        "--text": shown(_SCORED, "", "in/one.en", errors=("in/one.en",)),
        "--system": shown(_SCORED, "", "nobody", errors=("nobody",)),
        "--annotator": shown(f"{_SCORED} in/kilter.jsonl --no-controls", "", "ann", "ben"),
        "--measure": shown(f"{_SCORED} --no-controls"),
        "--tokenize": shown(f"{_SCORED} --measure words", "13a", "none"),
        "--no-controls": shown(_SCORED),
        "--resamples": shown("spans score in/marked.jsonl", "20", "50"),
        "--seed": shown(_SCORED, "1", "2"),
        "--jobs": threads(_SCORED),
        "--format": shown(f"{_SCORED} --no-controls"),
        "--quiet": talk(_SCORED),
    },
    "spans convert": {
        "--to": shown(f"spans convert {_MARKED} --annotator ann"),
        "--contested": shown(f"spans convert {_MARKED} --to pearmut", "1", "2"),
        "--output": shown(f"spans convert {_MARKED} --to mqm", "", "out.txt", "other"),
        "--quiet": talk(f"spans convert {_MARKED} --to mqm"),
        **_of_files("spans convert --to kilter"),
    },
    "spans check": {"--quiet": talk(f"spans check {_MARKED}"), **_of_files("spans check")},
}
