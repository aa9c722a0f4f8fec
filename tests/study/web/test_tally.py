"""Numbers that processes count together."""

import os

from kilter.study.web.tally import Tally


def test_what_every_process_counts_is_added_up() -> None:
    tally = Tally(3)
    for row in range(3):
        pid = os.fork()
        if pid == 0:
            tally.take_row(row)
            for status in (200, 204, 303, 404, 503):
                tally.count_response(status)
            tally.count_bug()
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
    assert tally.responses() == {"1xx": 0, "2xx": 6, "3xx": 3, "4xx": 3, "5xx": 3}
    assert tally.bugs() == 3
