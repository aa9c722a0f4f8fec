"""study chapter."""
