"""Runs of `kilter spans` that differ in one option alone."""

from kilter.io.spans.entry import SpanFormatName
from tests.cli.demonstration import Table, shown, talk

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


DEMONSTRATED = {
    "spans convert": {
        "--to": shown(f"spans convert {_MARKED} --annotator ann"),
        "--output": shown(f"spans convert {_MARKED} --to mqm", "", "out.txt", "other"),
        "--quiet": talk(f"spans convert {_MARKED} --to mqm"),
        **_of_files("spans convert --to kilter"),
    },
    "spans check": {"--quiet": talk(f"spans check {_MARKED}"), **_of_files("spans check")},
}
