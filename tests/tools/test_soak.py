"""A short soak, and what a soak takes for a fault."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.soak.__main__ import GROWTH, WARM, Soak, soaked
from tools.soak.served import Held
from tools.soak.workload import Step, steps

BOUND = 0.3
"""Minutes after which no further round begins."""


@pytest.fixture
def soak(tmp_path: Path) -> Soak:
    for name in ("out", "tmp"):
        (tmp_path / name).mkdir()
    return Soak(tmp_path)


def test_commands_and_servers_bear_rounds_of_a_bounded_time(tmp_path: Path) -> None:
    soak = soaked(tmp_path, minutes=BOUND)
    assert soak.faults == []
    assert {name: runs.count for name, runs in soak.runs.items()} == dict.fromkeys(
        (step.name for step in steps()), soak.rounds
    )
    assert [len(server.rounds) for server in soak.servers] == [soak.rounds] * 2


def test_another_end_other_bytes_and_what_is_left_are_faults(soak: Soak) -> None:
    def listed(*names: str) -> Step:
        return Step("metrics", ("metrics", "--help") if names else ("--version",))

    soak.run(listed())
    assert soak.faults == []
    (soak.temporary / "left").touch()
    soak.run(listed("help"))
    soak.run(Step("missing", ("score", "-r", "none.txt", "none.txt")))
    assert [fault.partition(":")[0] for fault in soak.faults] == [
        "metrics gave other bytes in run 2",
        "metrics left left",
        "missing ended with 3",
    ]


@pytest.mark.parametrize(
    ("last", "is_fault"),
    [
        (Held(1000 + GROWTH, 14, 7), False),
        (Held(1001 + GROWTH, 10, 3), True),
        (Held(1000, 15, 3), True),
        (Held(1000, 10, 8), True),
    ],
)
def test_a_server_that_holds_more_than_when_it_was_warm_is_a_fault(
    last: Held, is_fault: object, soak: Soak
) -> None:
    cold, warm = Held(1, 1, 1), Held(1000, 10, 3)
    server = SimpleNamespace(name="a server", rounds=[cold] * (WARM - 1) + [warm, last])
    soak.check_server(server)  # type: ignore[arg-type]
    assert bool(soak.faults) is is_fault
