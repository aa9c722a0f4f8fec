"""Dependency trees, one and many."""
