"""One metric a file; the registry finds them by name."""
