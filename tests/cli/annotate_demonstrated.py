"""Runs of `kilter annotate` that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_SERVE = "tests/cli/annotate/test_serve.py"
_NEW = "annotate create new -s in/links.en"
_BOTH = f"{_NEW} -t in/links.ja"
_EXPORT = "annotate export project-decided -o out"
_IMPORT = "annotate import project --annotator A"
_OTHER = "sqlite:///in/annotations.db"

DEMONSTRATED: dict[str, Table] = {
    "annotate create": {
        "--source": shown("annotate create new", "in/links.en", "in/links.ja"),
        "--target": shown(_NEW, "", "in/links.ja"),
        "--links": shown(_BOTH, "", "hmm", "in/one.links"),
        "--link-format": shown(
            "annotate create new -s in/make.source -t in/make.target --links in/make.{}", apart=True
        ),
        "--annotators": shown(_NEW, "", "2", "Ada,Bo"),
        "--adjudicators": shown(_NEW, "", "0", "Ada,Bo"),
        "--per-sentence": shown(f"{_NEW} --annotators 3", "", "1", "2"),
        "--tokenize": shown(_NEW, "", "char"),
        "--target-tokenize": shown(_BOTH, "", "char"),
        "--source-language": shown(_NEW, "", "en"),
        "--target-language": shown(_NEW, "", "ja"),
        "--title": shown(_NEW, "", "Title"),
        "--fixed-translation": shown(_BOTH),
        "--possible": shown(_NEW),
        "--public-url": shown(_NEW, "", "https://links.example.org"),
        "--database": shown(_NEW, "", "sqlite:///other.db"),
        "--jobs": threads(f"{_BOTH} --links hmm"),
        "--quiet": talk(_NEW),
    },
    "annotate serve": {
        name: Elsewhere(_SERVE, "test_every_option_of_the_server_reaches_it")
        for name in (
            "--connections",
            "--database",
            "--host",
            "--port",
            "--proxy",
            "--public-url",
            "--quiet",
            "--workers",
        )
    },
    "annotate links": {
        "--public-url": shown("annotate links project", "", "https://links.example.org"),
        "--database": Elsewhere(
            "tests/cli/annotate/test_links.py", "test_links_are_of_one_database"
        ),
        "--format": shown("annotate links project"),
    },
    "annotate status": {
        "--database": Elsewhere(
            "tests/cli/annotate/test_status.py", "test_a_database_may_be_elsewhere"
        ),
        "--format": shown("annotate status project-done"),
    },
    "annotate agreement": {
        "--intervals": shown("annotate agreement project-done"),
        "--resamples": shown("annotate agreement project-done --intervals", "2", "3"),
        "--seed": shown("annotate agreement project-done --intervals --resamples 3", "1", "2"),
        "--jobs": threads("annotate agreement project-done --intervals"),
        "--database": Elsewhere(
            "tests/cli/annotate/test_agreement.py", "test_a_database_may_be_elsewhere"
        ),
        "--format": shown("annotate agreement project-done"),
    },
    "annotate export": {
        "--output": shown("annotate export project-done --annotator A", "out", "other"),
        "--annotator": shown("annotate export project-done -o out", "A", "B"),
        "--adjudicated": shown(_EXPORT, errors=("",)),
        "--agreed": shown("annotate export project-done -o out", errors=("",)),
        "--unfinished": shown(f"{_EXPORT} --annotator A", errors=("",)),
        "--dense": shown(f"{_EXPORT} --annotator B"),
        # These links are all sure, which makes some formats the same.
        "--format": shown(
            "annotate export project-done -o out --annotator A",
            same=(
                ("pharaoh", "sure-possible"),
                ("pharaoh-1", "sure-possible-1"),
                ("pharaoh-1", "talp"),
                ("sure-possible-1", "talp"),
            ),
        ),
        "--possible": shown(f"{_EXPORT} --adjudicated"),
        "--details": shown("annotate export project-done -o out --annotator A"),
        "--database": Elsewhere(
            "tests/cli/annotate/test_export.py", "test_a_database_may_be_elsewhere"
        ),
        "--quiet": talk("annotate export project-done -o out --annotator A"),
    },
    "annotate import": {
        "--annotator": shown("annotate import project --links in/one.links", "A", "B"),
        "--adjudicated": shown("annotate import project --links in/one.links", errors=("",)),
        "--links": shown(_IMPORT, "in/one.links", "in/two.plain"),
        "--link-format": Elsewhere(
            "tests/cli/annotate/test_import_.py", "test_a_format_can_be_named"
        ),
        "--translations": shown(
            f"{_IMPORT} --done", "in/links.ja", "in/links.short", errors=("in/links.short",)
        ),
        "--replace": shown(
            "annotate import project-done --annotator A --links in/one.links", errors=("",)
        ),
        "--done": shown(f"{_IMPORT} --links in/one.links"),
        "--database": shown(f"{_IMPORT} --links in/one.links", "", "sqlite:///other.db"),
        "--quiet": talk(f"{_IMPORT} --links in/one.links"),
    },
}
