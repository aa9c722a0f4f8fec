"""Fields that declare settings."""

from dataclasses import dataclass, field

from kilter.core.settings import setting, spelled_fields


@dataclass(frozen=True)
class Kept:
    """Two settings, and a field that no command line knows."""

    jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    plain: int = 2
    name: str | None = setting("--name", default=None, description="A name.", metavar="NAME")
    several: list[int] = field(default_factory=list)


def test_a_setting_is_a_field_with_its_default() -> None:
    assert (Kept(), Kept(jobs=3).jobs) == (Kept(jobs=1, plain=2, name=None), 3)


def test_only_fields_that_are_settings_are_spelled_in_their_order() -> None:
    found = spelled_fields(Kept)
    assert [*found] == ["jobs", "name"]
    assert [spelling.flags for _, spelling in found.values()] == [("-j", "--jobs"), ("--name",)]
    assert [spelling.metavar for _, spelling in found.values()] == [None, "NAME"]
    assert found["jobs"][1].description == "Threads."
