"""What commands of the survey share: the packages they need, and the data of a study."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from kilter.errors import MissingToolError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needs_survey_extra() -> Iterator[None]:
    """Turn a missing package into an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingToolError("the survey", install="pip install 'kilter[survey]'") from error
