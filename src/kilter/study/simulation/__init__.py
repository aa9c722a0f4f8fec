"""Studies that nobody was asked for."""
