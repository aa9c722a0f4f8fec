"""`python -m tools.fuzz.coverage TARGET [options of libFuzzer]`: Atheris on one target, in a process of its own.

Atheris has to see modules before they are loaded: nothing of Kilter is imported above.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Fuzz until the options of libFuzzer, or a finding, say stop."""
    import atheris

    with atheris.instrument_imports(include=["kilter"]):
        from tools.fuzz.targets import function
    check = function(sys.argv[1])
    check(b"")  # what it makes once, such as a study, counts for no input
    atheris.Setup([sys.argv[0], *sys.argv[2:]], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
