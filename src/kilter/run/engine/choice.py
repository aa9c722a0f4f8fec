"""Which engine a run asks for, and how many workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.settings import Group, check_fields, setting

if TYPE_CHECKING:
    from kilter.run.engine.engine import Engine

_RAY = "ray"


@dataclass(frozen=True, kw_only=True)
class EngineChoice:
    """An engine by its name, and how many workers it has."""

    engine: str = setting(
        "--engine",
        default="local",
        metavar="NAME",
        group=Group.ADVANCED,
        description="Where to compute: local, ray or ray:ADDRESS.",
    )
    workers: int | None = setting(
        "--workers",
        default=None,
        metavar="N",
        group=Group.ADVANCED,
        description="Batches computed at once.  [default: 1; with ray all processors]",
    )

    def __post_init__(self) -> None:
        check_fields(self)
        name, _, address = self.engine.partition(":")
        if name not in ("local", _RAY) or (self.engine != name and not (name == _RAY and address)):
            raise OptionError(
                f"there is no engine {self.engine!r}; choose local, ray, or ray:ADDRESS, such as "
                "ray:auto, ray:10.0.0.1:6379 or ray://head:10001"
            )

    @property
    def address(self) -> str | None:
        """What Ray calls the address of a cluster, where one is named."""
        if self.engine.startswith("ray://"):  # as Ray itself writes that of a cluster far away
            return self.engine
        return self.engine.partition(":")[2] or None

    @property
    def on_ray(self) -> bool:
        """Whether Ray works on batches."""
        return self.engine.partition(":")[0] == _RAY

    @property
    def in_process(self) -> bool:
        """Whether no other worker is asked for than this process."""
        return not self.on_ray and self.workers in (None, 1)


def chosen_engine(choice: EngineChoice, *, threads: bool = False) -> Engine:
    """Return an engine, which starts no worker before it is used.

    `threads` is for tasks that spend their time in kernels: several workers of this machine are then
    threads of this process, and not processes.
    """
    if choice.on_ray:
        from kilter.run.engine.ray import RayEngine  # noqa: PLC0415 - only where it is asked for

        return RayEngine(choice.address, choice.workers)
    from kilter.run.engine.engine import InProcess  # noqa: PLC0415 - only where it is asked for

    if choice.in_process:
        return InProcess()
    from kilter.run.engine.local import ProcessEngine, ThreadEngine  # noqa: PLC0415 - only where it is asked for

    return (ThreadEngine if threads else ProcessEngine)(choice.workers or 1)
