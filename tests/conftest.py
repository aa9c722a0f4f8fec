"""Settings of every test."""

from hypothesis import settings

# No test is timed, and the same commit draws the same examples everywhere.
settings.register_profile("kilter", deadline=None, derandomize=True)
settings.load_profile("kilter")
