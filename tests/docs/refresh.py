"""Writes the real output beneath every example, the arguments of functions, and pictures.

`python -m tests.docs.refresh`
"""

import sys

from tests.docs import rooms
from tests.docs.arguments import with_arguments
from tests.docs.figures import draw_explained
from tests.docs.pages import ROOT, pages, refreshed


def main() -> None:
    rooms.main()
    draw_explained()
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = refreshed(with_arguments(before))
        if after != before:
            page.write_text(after, encoding="utf-8")
            sys.stdout.write(f"refreshed {page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
