"""Metrics, one per file; the registry finds them by name."""
