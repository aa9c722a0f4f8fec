"""Options that say where a command works: an engine and its workers."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from kilter.cli.command import WholeNumber
from kilter.cli.option.setting import setting_option
from kilter.run.engine.choice import EngineChoice

if TYPE_CHECKING:
    from collections.abc import Callable


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--engine` and `--workers` to a command, which is called with both as one `engine`."""

    @wraps(command)
    def called(*arguments: Any, engine: str, workers: int | None, **others: Any) -> Any:
        return command(*arguments, engine=EngineChoice(engine=engine, workers=workers), **others)

    workers = setting_option(EngineChoice, "workers", type=WholeNumber("workers"))
    return setting_option(EngineChoice, "engine")(workers(called))
