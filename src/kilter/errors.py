"""Errors that tell a user what is wrong, where, and what would be right."""


class KilterError(Exception):
    """Base of every error that Kilter raises on purpose."""

    exit_code = 1


class InputError(KilterError, ValueError):
    """The user's data is wrong: names the place, what is wrong, and what would be right."""

    exit_code = 3

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(message if where is None else f"{where}: {message}")
        self.where = where


class OptionError(KilterError, ValueError):
    """An option or a metric name that does not exist, or a value it cannot have."""

    exit_code = 2


class MissingToolError(KilterError, ImportError):
    """An optional package that is not installed; the message carries the install command."""

    exit_code = 4

    def __init__(self, purpose: str, *, install: str) -> None:
        super().__init__(f"{purpose} needs an optional package; install it with: {install}")


class KilterWarning(UserWarning):
    """Something was put right that the user should know of."""
