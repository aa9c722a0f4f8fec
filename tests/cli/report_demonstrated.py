"""Runs of `kilter report` that differ in one option alone."""

from dataclasses import replace

from tests.cli.demonstration import Demonstration, Elsewhere, Table, shown
from tests.cli.text_demonstrated import text_command

_REPORTED = "report -r in/reference.en in/local.en in/verb.en -m kendall"
_TESTS = "tests/cli/test_report.py"


def _of_report() -> Table:
    """Return the options that report shares with score, with a page in the place of a table."""
    return {
        name: replace(
            found, arguments=f"{found.arguments.replace(' --format tsv', '')} -o out.html"
        )
        for name, found in text_command("report").items()
        if isinstance(found, Demonstration)
    }


DEMONSTRATED: dict[str, Table] = {
    "report": _of_report()
    | {
        "--output": shown(_REPORTED, "one.html", "two.html"),
        "--scores": Elsewhere(_TESTS, "test_scores_of_other_programs_are_columns_like_ours"),
        "--lower-is-better": Elsewhere(
            _TESTS, "test_scores_of_other_programs_are_columns_like_ours"
        ),
        "--title": shown(f"{_REPORTED} -o out.html", "", "Ours"),
        "--baseline": shown(f"{_REPORTED} -o out.html", "", "verb.en"),
        "--pair": Elsewhere(_TESTS, "test_the_pair_that_is_looked_at_first_can_be_named"),
        "--figures": shown(f"{_REPORTED} -o out.html", "", "figures"),
        "--no-pdf": shown(f"{_REPORTED} --figures figures"),
        "--serve": Elsewhere(_TESTS, "test_a_served_page_follows_its_files"),
        "--port": Elsewhere(_TESTS, "test_a_served_page_follows_its_files"),
    },
}
