"""run meta."""
