"""An engine is named, and nothing else is guessed of it."""

import pytest

from kilter.core.errors import MissingToolError, OptionError
from kilter.run.engine import ray
from kilter.run.engine.choice import EngineChoice, chosen_engine
from kilter.run.engine.engine import InProcess
from kilter.run.engine.local import ProcessEngine, ThreadEngine


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("local", None),
        ("ray", None),
        ("ray:auto", "auto"),
        ("ray:10.0.0.1:6379", "10.0.0.1:6379"),
        ("ray://head:10001", "ray://head:10001"),
    ],
)
def test_a_cluster_is_named_by_what_ray_calls_its_address(name: str, address: str | None) -> None:
    choice = EngineChoice(engine=name)
    assert (choice.address, choice.on_ray) == (address, name != "local")


@pytest.mark.parametrize("name", ["Ray", "ray:", "local:auto", "local:", "spark"])
def test_there_is_no_other_engine(name: str) -> None:
    with pytest.raises(OptionError, match=f"there is no engine '{name}'; choose local, ray, or"):
        EngineChoice(engine=name)


def test_workers_of_this_machine_are_processes_unless_threads_will_do() -> None:
    assert isinstance(chosen_engine(EngineChoice()), InProcess)
    assert isinstance(chosen_engine(EngineChoice(workers=1)), InProcess)
    assert isinstance(chosen_engine(EngineChoice(workers=2)), ProcessEngine)
    assert isinstance(chosen_engine(EngineChoice(workers=2), threads=True), ThreadEngine)
    with pytest.raises(OptionError, match="workers"):
        EngineChoice(workers=0)


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "find_spec", lambda name: {"ray": None}[name])
    with pytest.raises(MissingToolError, match=r"pip install 'kilter\[ray\]'"):
        chosen_engine(EngineChoice(engine="ray"))
