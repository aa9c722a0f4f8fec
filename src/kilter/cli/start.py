"""Where the `kilter` command begins: next to nothing is imported before an interrupt is heeded."""

import _signal  # type: ignore[import-not-found]  # there before signal, and needs nothing
import gc
import os
import sys

# Loading makes objects that stay, 60,000 or so. By default every 700 of them are searched for garbage, and a search
# of the first 50,000 alone is a tenth of a start.
OBJECTS_BETWEEN_SEARCHES = 100_000
INTERRUPTED = 130
"""The exit code after an interrupt, as shells have it."""


def main() -> None:
    """Run the command line and exit; an interrupt while it is still being loaded is exit code 130."""
    waits = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if (
        waits
    ):  # raised amid an import, an interrupt may become another error, or be told on the way out
        _signal.signal(_signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    if sys.argv[1:2] != ["train"]:
        # Training alone multiplies large matrices; for others, numpy would start threads that have no work.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from kilter.core import interrupt

    try:
        from kilter.cli.deferred_module import defer

        defer("numpy")  # half of what a start takes, and help has no use for it
        from kilter.cli.main import main as loaded

        if waits:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        interrupt.listen()
        loaded()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:
        # Where a class is made, Python 3.11 raises another error in the place of an interrupt.
        if not interrupt.pending():
            raise
        sys.exit(INTERRUPTED)
