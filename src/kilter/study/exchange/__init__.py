"""study exchange."""
