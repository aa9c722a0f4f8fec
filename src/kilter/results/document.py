"""What `--format json` prints of a result."""

from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]
"""A JSON object; what it holds, and of what kind that is, stands on the result's page of the docs."""
