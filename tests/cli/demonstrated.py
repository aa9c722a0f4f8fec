"""For every option of every command: runs that it makes a difference to.

Results are compared without signatures, which name options also where nobody looked at them. Files are
those of `option_files`.
"""

from importlib import import_module
from pathlib import Path

from tests.cli.demonstration import Elsewhere, Table, shown, talk

DEMONSTRATED: dict[str, Table] = {
    "": {"--verbose": shown("--version"), "--version": shown("", errors=("",))},
    "demo": {
        "--compare": shown("demo"),
        "--report": shown("demo", "one.html", "two.html"),
        "--details": shown("demo"),
        "--quiet": talk("demo"),
    },
    "metrics": {
        "--format": shown("metrics kendall"),
        "--cite": shown("metrics kendall"),
        "--check": shown("metrics max-op", "", "tight"),
        "--max-length": shown("metrics max-op --check tight", "3", "4"),
    },
    "cache": {
        "--clear": Elsewhere("tests/cli/test_cache.py", "test_a_cache_is_shown_and_cleared"),
        "--maker": Elsewhere("tests/cli/test_cache.py", "test_one_maker_is_cleared"),
        "--older-than": Elsewhere("tests/cli/test_cache.py", "test_what_is_old_is_cleared"),
        "--format": shown("cache in/kept"),
    },
    "completion": {},
}

# Further commands have files of their own.
for _path in sorted(Path(__file__).parent.glob("*_demonstrated.py")):
    DEMONSTRATED |= import_module(f"tests.cli.{_path.stem}").DEMONSTRATED
