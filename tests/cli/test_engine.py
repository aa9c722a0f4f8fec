"""The engine of a command."""

import pytest

from kilter.run.engine import ray
from tests.cli.command import kilter


def test_an_engine_that_is_not_there_is_a_usage_error() -> None:
    found = kilter("permutation", "--engine", "spark", stdin=b"1 2\n")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("kilter: there is no engine 'spark'; choose local, ray, or ray:ADD")
    assert kilter("permutation", "--workers", "0", stdin=b"1 2\n").code == 2


def test_without_ray_a_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "find_spec", lambda name: {"ray": None}[name])
    found = kilter("permutation", "--engine", "ray", stdin=b"1 2\n")
    assert (found.code, found.out) == (4, "")
    assert found.err == (
        "kilter: --engine ray needs an optional package; install it with: pip install 'kilter[ray]'\n"
    )


def test_an_engine_has_no_effect_on_drawings() -> None:
    found = kilter("permutation", "--draw", "--workers", "2", stdin=b"1 2\n")
    assert found.code == 2
    assert "--workers has no effect with --draw; leave it out" in found.err
