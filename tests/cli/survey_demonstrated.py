"""Runs of `kilter survey` that differ in one option alone."""

from tests.cli.demonstration import Elsewhere, Table, shown, talk, threads

_REPORT = "-o report --no-png --resamples 20 -m kendall --aligner match --parser perceptron"
_ANALYSED = f"survey analyse in/export {_REPORT}"
_SCAN, _SERVE = "tests/cli/survey/test_scan.py", "tests/cli/survey/test_serve.py"
_PASSWORD = "tests/cli/survey/test_password.py"
_CHANGED_PASSWORD = "test_a_changed_password_counts_at_once_and_ends_all_sessions"
_ACCOUNT = "tests/cli/survey/test_account.py"
_EVERY_ACCOUNT = (
    "test_every_account_has_its_password_and_what_it_does_is_written_down_with_its_name"
)


DEMONSTRATED: dict[str, Table] = {
    "survey check": {"--permutations": shown("survey check study-new")},
    "survey create": {
        "--allow-smaller": shown(
            "survey create study-small --password-file in/password", errors=("",)
        ),
        "--example": shown("survey create --password-file in/password new", errors=("",)),
        "--password-file": shown("survey create study-new", "", "in/password"),
        "--permutations": shown("survey create study-new --password-file in/password"),
        "--quiet": talk("survey create study-new --password-file in/password"),
    },
    "survey serve": {
        name: Elsewhere(_SERVE, "test_every_option_of_the_server_reaches_it")
        for name in (
            "--connections",
            "--database",
            "--host",
            "--joins",
            "--port",
            "--proxy",
            "--public-url",
            "--quiet",
            "--workers",
        )
    },
    "survey password": {
        "--database": Elsewhere(_PASSWORD, _CHANGED_PASSWORD),
        "--password-file": Elsewhere(_PASSWORD, _CHANGED_PASSWORD),
        "--account": Elsewhere(_ACCOUNT, _EVERY_ACCOUNT),
    },
    "survey account": {
        name: Elsewhere(_ACCOUNT, _EVERY_ACCOUNT)
        for name in ("--add", "--remove", "--password-file", "--database")
    },
    "survey links": {
        "--group": shown("survey links study --add 1", "", "students"),
        "--add": shown("survey links study", "", "1", "2"),
        "--label": shown("survey links study --group staff", "", "1", "2-3"),
        "--public-url": shown("survey links study", "", "https://survey.example.org"),
        "--database": shown("survey links study", "", "sqlite:///in/grouped.db"),
        "--format": shown("survey links study"),
    },
    "survey status": {
        "--database": shown("survey status study", "", "sqlite:///in/answers.db"),
        "--format": shown("survey status study-filled"),
    },
    "survey export": {
        "--output": shown("survey export study-filled", "out", "other"),
        "--format": shown("survey export study-filled -o out"),
        "--metric": shown("survey export study-filled -o out", "", "kendall", "bleu"),
        "--quiet": talk("survey export study-filled -o out"),
        "--database": shown("survey export study -o out", "", "sqlite:///in/answers.db"),
        "--identified": shown("survey export study-filled -o out"),
        "--ratings": shown("survey export study-filled -o out"),
        "--archive": shown("survey export study-filled -o out"),
    },
    "survey import": {
        "--participants": shown(
            "survey import study in/typed.csv",
            "",
            "in/people.csv",
            "in/wrong-people.csv",
            errors=("in/wrong-people.csv",),
        ),
        "--group": shown("survey import study in/typed.csv", "", "staff"),
        "--database": shown("survey import study in/typed.csv", "", "sqlite:///other.db"),
        "--quiet": talk("survey import study in/typed.csv"),
    },
    "survey erase": {
        "--judgments": shown("survey erase study-filled -", stdin="code"),
        "--database": shown(
            "survey erase study -", "", "sqlite:///study/copy.db", errors=("",), stdin="code"
        ),
    },
    "survey simulate": {
        "--output": shown("survey simulate in/study --participants 2", "out", "other"),
        "--format": shown("survey simulate in/study --participants 2 -o out"),
        "--metric": shown("survey simulate in/study --participants 2 -o out", "", "kendall"),
        "--ratings": shown("survey simulate in/study --participants 2 -o out"),
        "--quiet": talk("survey simulate in/study --participants 2 -o out"),
        "--seed": shown("survey simulate in/study --participants 2 -o out", "1", "2"),
        "--participants": shown("survey simulate in/study -o out", "2", "3"),
        "--effects": shown(
            "survey simulate in/study --participants 3 -o out", "", "in/effects.toml"
        ),
    },
    "survey analyse": {
        "--output": shown(_ANALYSED.replace("-o report", ""), "report", "other"),
        "--study": shown(f"survey analyse {_REPORT}", "study-filled", "study-other"),
        "--database": shown(
            f"survey analyse {_REPORT} --study study",
            "sqlite:///in/answers.db",
            "sqlite:///in/other.db",
        ),
        "--scores": shown(_ANALYSED, "", "in/tool.csv"),
        "--metric": shown(_ANALYSED.replace("-m kendall", ""), "kendall", "bleu"),
        "--aligner": shown(_ANALYSED.replace("--aligner match", ""), "match", "ribes"),
        "--parser": shown(
            _ANALYSED.replace("-m kendall", "-m derp").replace("--parser perceptron", ""),
            "perceptron",
            "model",
        ),
        "--adjustment": shown(_ANALYSED),
        "--shared-only": shown(_ANALYSED),
        "--split": shown(_ANALYSED, "", "gender", "age=30"),
        "--baseline": shown(_ANALYSED, "", "kendall"),
        "--hypotheses": shown(_ANALYSED, "", "in/hypotheses.toml"),
        "--min-group-size": shown(_ANALYSED, "1", "2"),
        "--by-tool": shown(_ANALYSED),
        "--published": shown(_ANALYSED),
        "--correction": shown(_ANALYSED),
        "--no-png": shown(_ANALYSED.replace("--no-png", "")),
        "--resamples": shown(_ANALYSED.replace("--resamples 20", ""), "20", "31"),
        "--seed": shown(_ANALYSED, "", "2"),
        "--jobs": threads(_ANALYSED),
        "--quiet": talk(_ANALYSED),
    },
    "survey print": {
        "--output": shown("survey print study --questionnaire 1", "out", "other"),
        "--questionnaire": shown("survey print study -o out", "1", "2"),
        "--language": shown("survey print study -o out --questionnaire 1", "en", "de"),
        "--copies": shown("survey print study -o out --questionnaire 1", "1", "1-2"),
        "--font": shown(
            "survey print study -o out --questionnaire 1",
            "",
            "in/password",
            errors=("in/password",),
        ),
        "--quiet": talk("survey print study -o out --questionnaire 1"),
    },
    "survey scan": {
        "--forms": shown(
            "survey scan study in/scans",
            "in/booklets",
            "in/outputs",
            errors=("in/booklets", "in/outputs"),
        ),
        "--review": Elsewhere(_SCAN, "test_somebody_may_confirm_that_there_is_no_answer"),
        "--participant": Elsewhere(_SCAN, "test_a_name_can_be_given_for_copies_made_by_hand"),
        "--participants": Elsewhere(_SCAN, "test_scanned_booklets_are_imported_like_typed_ones"),
        "--group": Elsewhere(_SCAN, "test_scanned_booklets_are_imported_like_typed_ones"),
        "--incomplete": Elsewhere(
            _SCAN, "test_missing_pages_are_named_and_taken_only_when_that_is_said"
        ),
        "--database": shown(
            "survey scan study in/scans --forms in/booklets",
            "",
            "sqlite:///other.db",
            errors=("", "sqlite:///other.db"),
        ),
        "--quiet": talk("survey scan study in/scans --forms in/booklets", errors=("", "given")),
    },
}
